//! What happens to the page after every build, in this order, since trunk runs the hooks of one stage at once: the programs
//! are made small and cut in two, then the page gets its build id and its policy, and all of it goes into the template of analysis pages.

import { finish as parts } from './parts.mjs';
import { finish as policy } from './policy.mjs';
import { writeTemplate } from './share.mjs';

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
try {
  if (!folder) throw new Error('usage: node scripts/finish.mjs FOLDER (trunk sets TRUNK_STAGING_DIR)');
  // A build for looking at is not made small: it would only take time.
  if (process.env.TRUNK_PROFILE === 'debug') console.log('parts: a debug build stays whole');
  else for (const line of parts(folder)) console.log(`parts: ${line}`);
  const { build, scripts } = policy(folder);
  console.log(`policy: build ${build}, ${scripts} inline scripts allowed by hash`);
  const { codec, text } = writeTemplate(folder, { release: process.env.TRUNK_PROFILE !== 'debug' });
  console.log(`share: the template of analysis pages, ${codec}, ${Math.round(text.length / 1000)} kB`);
} catch (error) {
  console.error(`finish: ${error.name === 'Stop' ? error.message : error.stack}`);
  process.exit(1);
}
