/** Rules of the land. Loaded only where the operator has switched one on; no page contains them. */
export const house = {
  asking: {
    title: 'One moment',
    text: 'Checking whether tickets can be sold to you.',
    instead: 'Shown once that is checked.',
  },
  closed: {
    title: 'Not sold in your country',
    text: 'What you have already paid stays credited, or is refunded by the rules of the event.',
    instead: 'Not shown in your country.',
  },
  confirm: {
    title: 'Before your first purchase',
    text: 'Please confirm the rules of this raffle once. This browser remembers it until they change.',
    instead: 'Shown once you have confirmed the rules.',
    action: 'Read and confirm',
  },
  dialog: {
    age: 'I am {age} or older.',
    terms: 'I have read and accept the {link}.',
    termsLink: 'terms',
    privacy: 'I have read the {link}.',
    privacyLink: 'privacy notice',
    kept: 'What you confirm is sent with your purchase: the version of each text, and the age.',
    missing: 'Please tick each line first.',
    go: 'Confirm',
  },
}
