;(() => {
  const root = document.documentElement
  // build/finish.ts says which lie in the page.
  const isInside = ({ display }) => display === 'block'
  const faces = [...document.fonts].filter(isInside).map((face) => face.load())
  // A header that is half read would move as its other half comes. This is before any script is waited for.
  const read = new Promise((resolve) =>
    document.addEventListener('readystatechange', resolve, { once: true }),
  )
  const show = () => root.removeAttribute('data-unpacking')
  root.dataset.unpacking = ''
  Promise.allSettled([read, ...faces]).then(show)
  setTimeout(show, 1000)
})()
