// Two trials of one task in a result file as tau-bench writes them: a passenger moves a booking to a later ship. The
// first trial reads the fare before it pays; the second one pays with the wrong card and books the wrong ship.

import { Tally } from './tally.mjs';

const ID = 'tau-bench-two-trials';

const POLICY = 'You work at the desk of a ferry line. Look bookings up before you change them. Charge only a card that is on file for the passenger.';
const TASK = {
  user_id: 'mara_lind_204',
  instruction: 'You are Mara Lind (mara_lind_204). Move booking FB3071 to the evening ship on 14 August and pay with the card that ends in 7718.',
  actions: [{ name: 'change_booking', kwargs: { booking: 'FB3071', ship: 'EV-19', card: 'card_20447718' } }],
};

/** `parts`: `['user', text]`, `['say', text]`, or `[tool, arguments, result, thought]`. */
function trial(number, reward, parts) {
  const tally = new Tally();
  const traj = [{ role: 'system', content: POLICY }];
  tally.step();
  let calls = 0;
  for (const [what, body, result, thought] of parts) {
    if (what === 'user' || what === 'say') {
      traj.push({ role: what === 'user' ? 'user' : 'assistant', content: body });
      tally.step();
      continue;
    }
    calls += 1;
    if (thought) tally.step();
    tally.call();
    const id = `call_${number}_${calls}`;
    traj.push({
      role: 'assistant',
      content: thought ?? null,
      tool_calls: [{ id, type: 'function', function: { name: what, arguments: JSON.stringify(body) } }],
    });
    tally.result(undefined, result.startsWith('Error: '));
    traj.push({ role: 'tool', tool_call_id: id, name: what, content: result });
  }
  return {
    entry: { task_id: 26, trial: number, reward, info: { task: TASK }, traj },
    figures: { ...tally.figures(), outcome: reward === 1 ? 'passed' : 'failed' },
  };
}

const BOOKING = '{"booking":"FB3071","passenger":"mara_lind_204","ship":"MO-07","date":"2026-08-14","people":2,"paid":136}';
const SHIPS = '[{"ship":"MO-07","leaves":"08:10","fare":68},{"ship":"NO-12","leaves":"12:45","fare":74},{"ship":"EV-19","leaves":"19:30","fare":97}]';
const PASSENGER = '{"id":"mara_lind_204","cards":{"card_20447718":"ends in 7718","card_20441190":"ends in 1190"}}';

const BEGIN = [
  ['user', 'Hello, I would like to move my booking FB3071 to the evening ship. I am mara_lind_204.'],
  ['find_booking', { booking: 'FB3071' }, BOOKING, 'The booking has to be looked up before it is changed.'],
  ['find_routes', { from: 'Aldhaven', to: 'Skarrow' }, '["AS"]'],
  ['list_ships', { route: 'AS', date: '2026-08-13' }, '[]'],
  ['list_ships', { route: 'AS', date: '2026-08-14' }, SHIPS],
  ['opening_hours', { terminal: 'Aldhaven' }, '05:30-22:00'],
  ['seats_left', { ship: 'EV-19', date: '2026-08-14' }, '41'],
];

export function twoTrials() {
  const trials = [
    trial(0, 1, [
      ...BEGIN,
      ['calculate', { expression: '(97 - 68) * 2' }, '58', 'Two people travel, so the difference counts twice.'],
      ['say', 'The evening ship EV-19 costs 58 more for two people. Shall I change the booking, and which card should I charge?'],
      ['user', 'Yes, please. Use the card that ends in 7718.'],
      ['change_booking', { booking: 'FB3071', ship: 'EV-19', card: 'card_7718' }, 'Error: there is no card card_7718'],
      ['get_passenger', { passenger: 'mara_lind_204' }, PASSENGER, 'The card has another name on file. Look the passenger up.'],
      ['change_booking', { booking: 'FB3071', ship: 'EV-19', card: 'card_20447718' }, '{"ok":true,"charged":58}'],
      ['say', 'Your booking is on the evening ship EV-19 now. I charged 58 to the card that ends in 7718.'],
      ['user', 'Thank you!'],
    ]),
    trial(1, 0, [
      ...BEGIN,
      ['calculate', { expression: '(74 - 68) * 2' }, '12', 'Two people travel, so the difference counts twice.'],
      ['say', 'The later ship NO-12 costs 12 more for two people. Shall I change the booking, and which card should I charge?'],
      ['user', 'Yes, please. Use the card that ends in 7718.'],
      ['change_booking', { booking: 'FB3071', ship: 'NO-12', card: 'card_20441190' }, '{"ok":true,"charged":12}'],
      ['say', 'Your booking is on the evening ship NO-12 now. I charged 12 to the card that ends in 7718.'],
      ['user', 'Thank you!'],
    ]),
  ];
  return {
    id: ID,
    title: { en: 'tau-bench: two trials of one task', 'zh-Hant': 'tau-bench：同一任務的兩次嘗試' },
    note: { en: 'One passes; the other reads the wrong fare and books the wrong ship', 'zh-Hant': '一次通過；另一次讀錯票價並訂錯船班' },
    contents: { 'ferry-desk.json': `[${trials.map((t) => JSON.stringify(t.entry)).join(',\n')}]\n` },
    expect: { format: 'tau-bench', runs: trials.map((t) => t.figures) },
  };
}
