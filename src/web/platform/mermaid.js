//! Draws a sequence diagram with mermaid, loaded from our own folder when the first one is shown.
//!
//! The source is ours (`diagram/`), every text in it escaped; mermaid runs in strict mode. Its arrows become buttons
//! that know their step: they are matched in order of emission, and only when numbers and ends agree.

let loading;

function load() {
  loading ??= import(new URL('vendor/mermaid/mermaid.esm.min.mjs', document.baseURI).href).then((module) => module.default, (error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const LONGEST = 50_000;
const FONT = 'Inter, system-ui, sans-serif';

// Colours by the page's own variables: a change of the theme recolours a drawn diagram at once.
const CONFIG = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  maxTextSize: LONGEST,
  theme: 'base',
  look: 'classic',
  fontFamily: FONT,
  fontSize: 13,
  sequence: {
    mirrorActors: false, useMaxWidth: false, messageFontFamily: FONT, noteFontFamily: FONT, actorFontFamily: FONT,
    messageFontSize: 13, noteFontSize: 13, actorFontSize: 13, actorFontWeight: 500, messageFontWeight: 400,
    height: 28, boxMargin: 8, noteMargin: 8, messageMargin: 28, diagramMarginX: 16, diagramMarginY: 8, width: 120,
  },
  themeVariables: {
    fontFamily: FONT, fontSize: '13px',
    actorBkg: 'var(--canvas)', actorBorder: 'var(--line-strong)', actorTextColor: 'var(--text)', actorLineColor: 'var(--line)',
    signalColor: 'var(--text-2)', signalTextColor: 'var(--text)',
    noteBkgColor: 'var(--sunken)', noteBorderColor: 'var(--line)', noteTextColor: 'var(--text-2)',
    activationBkgColor: 'var(--wash)', activationBorderColor: 'var(--accent)',
    labelBoxBkgColor: 'var(--warning-wash)', labelBoxBorderColor: 'var(--warning)', labelTextColor: 'var(--warning)',
    loopTextColor: 'var(--warning)', sequenceNumberColor: 'var(--text)',
  },
};

/**
 * Draws `source` into `host`. `links` is JSON: `[arrows, notes]`, an arrow `[step, from, to, label, bad]`, a note `[step or null, label]`.
 * Answers `''` when all is well, `'unlinked'` when arrows and steps could not be matched; throws with the reason.
 */
export async function draw(host, source, links) {
  const text = source.toWellFormed ? source.toWellFormed() : source;
  if (text.length > LONGEST) throw new Error(`too-long ${text.length}`);
  const mermaid = await load();
  mermaid.initialize(structuredClone(CONFIG));
  draw.count = (draw.count ?? 0) + 1;
  const { svg, diagramType } = await mermaid.render(`run-diagram-${draw.count}`, text);
  if (diagramType !== 'sequence') throw new Error(`mermaid drew a ${diagramType}`);
  // The one place where text becomes markup: mermaid's own output, sanitised by it in strict mode.
  host.innerHTML = svg;
  const drawn = host.querySelector('svg');
  const box = drawn.viewBox.baseVal;
  host.style.setProperty('--drawn', box.width);
  drawn.removeAttribute('style');
  return link(drawn, JSON.parse(links)) ? '' : 'unlinked';
}

function link(svg, [arrows, notes]) {
  const lines = [...svg.querySelectorAll('[data-et="message"]')];
  const papers = [...svg.querySelectorAll('g[data-et="note"]')];
  const fits = lines.length === arrows.length && papers.length === notes.length
    && lines.every((line, k) => line.getAttribute('data-from') === arrows[k][1] && line.getAttribute('data-to') === arrows[k][2]);
  if (!fits) return false;
  lines.forEach((line, k) => {
    const [step, , , label, bad] = arrows[k];
    const texts = [];
    for (let at = line.previousElementSibling; at?.matches('text.messageText'); at = at.previousElementSibling) texts.unshift(at);
    const group = document.createElementNS('http://www.w3.org/2000/svg', 'g');
    line.before(group);
    group.append(...texts, line);
    button(group, step, label);
    if (bad) group.setAttribute('data-bad', '');
  });
  papers.forEach((paper, k) => {
    const [step, label] = notes[k];
    if (step !== null) button(paper, step, label);
  });
  return true;
}

function button(group, step, label) {
  group.setAttribute('data-step', step);
  group.setAttribute('tabindex', '0');
  group.setAttribute('role', 'button');
  group.setAttribute('aria-label', label);
  const box = group.getBBox();
  const area = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8, rx: 4, fill: 'transparent', class: 'diagram-hit' })) area.setAttribute(name, value);
  area.style.pointerEvents = 'all';
  group.prepend(area);
}

/** The step of the arrow or note that an event happened at; -1 when it happened elsewhere. */
export function step(event) {
  const group = event.target instanceof Element ? event.target.closest('[data-step]') : null;
  return group ? Number(group.getAttribute('data-step')) : -1;
}

/** Forgets the picture. */
export function clear(host) {
  host.replaceChildren();
}

/** The picture as a file of its own: variables become the colours that they have now. */
export function exported(host) {
  const drawn = host.querySelector('svg');
  if (!drawn) return '';
  const copy = drawn.cloneNode(true);
  const box = drawn.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', box.width);
  copy.setAttribute('height', box.height);
  for (const area of copy.querySelectorAll('.diagram-hit')) area.remove();
  for (const group of copy.querySelectorAll('[data-step]')) for (const name of ['tabindex', 'role', 'data-step']) group.removeAttribute(name);
  const bad = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  bad.textContent = '[data-bad] text{fill:var(--danger)!important}[data-bad] :is(line,path){stroke:var(--danger)!important}';
  copy.append(bad);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height, fill: 'var(--surface)' })) ground.setAttribute(name, value);
  copy.insertBefore(ground, copy.firstChild);
  const text = new XMLSerializer().serializeToString(copy);
  const known = new Map();
  return text.replace(/var\((--[\w-]+)\)/g, (whole, name) => {
    if (!known.has(name)) known.set(name, colour(host, name));
    return known.get(name);
  });
}

/** A variable's colour at this moment, as every viewer of SVG understands it. */
function colour(host, name) {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  host.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return `#${[r, g, b].map((n) => n.toString(16).padStart(2, '0')).join('')}`;
}
