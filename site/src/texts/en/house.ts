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
  barred: {
    title: 'Your wallet takes a break',
    text: 'Until {until} this site opens no wallet for a purchase from this one. What was already paid stays credited, or is refunded by the rules of the event.',
    instead: 'Not shown while your wallet takes a break.',
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
  rest: {
    title: 'Take a break',
    text: 'Your wallet signs that it takes a break. Until it is over this site does not open that wallet for a purchase, in any browser. Nobody can shorten it, not even we.',
    choose: 'For how long',
    days: { one: '{count} day', other: '{count} days' },
    sign: 'Sign and take a break',
    signing: 'Waiting for your wallet',
    connect: 'Connect the wallet that is to take a break first.',
    running: 'This wallet takes a break until {until}. A longer one can be signed.',
    limits:
      'The break is kept by this site alone: a transfer that you send from your wallet by yourself is credited like any other.',
    done: 'Your break has begun',
    doneText: 'Until {until} this site does not open your wallet for a purchase.',
    failed: 'The break has not begun',
    unreachable: 'The server cannot be reached. Try again in a moment.',
    notOurs: 'The server asked for something other than a break. Nothing was signed.',
    notSigned: 'The wallet did not sign.',
  },
}
