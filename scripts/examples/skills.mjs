// The skills of a made-up library: a provider's folder with an index that lists what anyone may see, one private skill,
// and beside it a descriptor with two faults. The calls of the example openai-chat-six-runs name these skills.

const ID = 'skills-lighthouse';

const PROVIDER = { name: 'Lighthouse Library', domain: 'lighthouse.example', url: 'https://lighthouse.example/' };

/** A descriptor of the library. */
function skill(id, name, description, inputs, output, more) {
  return {
    protocol: { version: '1.0.0' },
    id: `example.lighthouse/${id}`,
    name,
    version: '1.2.0',
    capability_type: 'api',
    description,
    provider: PROVIDER,
    endpoint: { url: `https://lighthouse.example/ssp/${id}`, method: 'POST' },
    inputs: { type: 'object', ...inputs, additionalProperties: false },
    output: { type: 'object', ...output },
    auth: { type: 'none' },
    access: 'public',
    ...more,
  };
}

const copies = { copies: { type: 'array', items: { type: 'object', properties: { copy: { type: 'integer' }, branch: { type: 'string' }, in: { type: 'boolean' } }, required: ['copy'] } } };

const skills = {
  find_book: skill('find_book', 'Find a book',
    'Looks a title up in the catalogue of both branches. Use when someone asks whether the library has a book.',
    { properties: { title: { type: 'string', minLength: 1 } }, required: ['title'] },
    { properties: copies, required: ['copies'] }),
  opening_hours: skill('opening_hours', '開放時間 Opening hours',
    'Hours of a branch on a day of the week. Use when someone asks when the library is open.',
    { properties: { branch: { type: 'string', enum: ['Harbour', 'Mill'] }, day: { type: 'string' } }, required: ['branch'] },
    { properties: { hours: { type: 'string' } } },
    { capability_type: 'knowledge' }),
  reserve: skill('reserve', 'Reserve a copy',
    'Reserves a copy for the holder of a library card. Use after the copy was found and the person gave the card.',
    { properties: { copy: { type: 'integer' }, card: { type: 'string', pattern: '^[A-Z]-[0-9]{4}$' } }, required: ['copy', 'card'] },
    { properties: { ok: { type: 'boolean' }, until: { type: 'string', format: 'date' } }, required: ['ok'] },
    { capability_type: 'task', access: 'restricted', auth: { type: 'api_key', in: 'header', name: 'X-Library-Key' } }),
  member_notes: skill('member_notes', 'Notes about members',
    'Notes that the staff keep about a member. Use at the desk only.',
    { properties: { card: { type: 'string' } }, required: ['card'] },
    { properties: { notes: { type: 'array', items: { type: 'string' } } } },
    { access: 'private', auth: { type: 'api_key', in: 'header', name: 'X-Library-Key' } }),
};

export function skillsOfTheLighthouse() {
  const text = (value) => `${JSON.stringify(value, null, 2)}\n`;
  const listed = Object.entries(skills).filter(([, s]) => s.access !== 'private');
  const index = {
    protocol: { version: '1.0.0' },
    skills: listed.map(([file, s]) => ({ id: s.id, name: s.name, capability_type: s.capability_type, access: s.access, descriptor_url: `${file}.json`, version: s.version })),
  };
  // Two faults: nobody says whose it is, and its access is a word that means nothing.
  const { provider, ...rest } = skill('renew_loan', 'Renew a loan',
    'Keeps a borrowed book for four more weeks. Use when someone asks for more time.',
    { properties: { copy: { type: 'integer' } }, required: ['copy'] },
    { properties: { until: { type: 'string', format: 'date' } } });
  const faulty = { ...rest, access: 'members' };
  return {
    id: ID,
    title: { en: 'Skills: a library and its desk', 'zh-Hant': '技能：一間圖書館與它的櫃檯' },
    note: { en: 'A provider with a private skill, and a descriptor with two faults', 'zh-Hant': '一個含私有技能的提供者，以及一份有兩處錯誤的描述符' },
    contents: {
      ...Object.fromEntries(Object.entries(skills).map(([file, s]) => [`lighthouse/${file}.json`, text(s)])),
      'lighthouse/index.json': text(index),
      'renew_loan.json': text(faulty),
    },
    expect: {
      format: 'skill',
      skills: [
        { name: 'lighthouse', kind: 'provider', documents: Object.keys(skills).length + 1, descriptors: Object.keys(skills).length, errors: 0 },
        { name: 'renew_loan.json', kind: 'skill-descriptor', documents: 1, descriptors: 1, errors: 2 },
      ],
    },
  };
}
