//! What is asked of the page itself while it is measured. These functions run in the page.

/**
 * Goes to `hash`; with `text` only until that is in the page and painted. Answers the milliseconds from the change of the address until the page has nothing left to do and has
 * painted, and how many nodes it has then.
 */
export async function opening({ hash, text = '' }) {
  const root = document.documentElement;
  const task = () => new Promise((done) => setTimeout(done));
  if (location.hash === hash) throw new Error(`the page is at ${hash} already`);
  const began = performance.now();
  const noticed = new Promise((done) => window.addEventListener('hashchange', done, { once: true }));
  location.hash = hash;
  await noticed;
  // What the change leads to has been asked for when the tasks behind it have run.
  await task();
  const shown = () => document.querySelector('main').textContent.includes(text);
  const enough = () => root.dataset.idle === 'true' || (text && shown());
  while (text && !enough()) await new Promise(requestAnimationFrame);
  while (!enough()) {
    await new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        done();
      });
      observer.observe(root, { attributes: true, attributeFilter: ['data-idle'] });
    });
    await task();
  }
  await new Promise(requestAnimationFrame);
  await task();
  const took = performance.now() - began;
  return { took, nodes: document.querySelectorAll('*').length, there: text ? shown() : document.querySelector('.tab-link[aria-current]')?.getAttribute('href') ?? '' };
}

/**
 * Waits for the row of a step that has `text`, from the moment when files are chosen; answers the milliseconds until the frame
 * with it is painted. Called before the files are given.
 */
export function firstStep(text) {
  window.firstStep = new Promise((done, fail) => {
    let began = null;
    setTimeout(() => fail(new Error(`“${text}” is not on screen after two minutes`)), 120_000);
    document.addEventListener('change', (event) => {
      if (event.target.id === 'files') began = performance.now();
    }, { capture: true, once: true });
    const look = () => {
      const rows = began === null ? [] : [...document.querySelectorAll('[role="treeitem"], .beginning li')];
      if (rows.some((row) => row.textContent.includes(text))) requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
      else requestAnimationFrame(look);
    };
    look();
  });
}
