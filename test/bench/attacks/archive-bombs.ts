import { importForm } from '../../archives/container-imports/sample-archive.js';
import { attack } from './attack.js';
import type { Attackers } from './attackers.js';
import { ATTACKER } from './ground.js';
import { schedulesBeside } from './schedules.js';

const NAME = 'attack-archive-bombs';
/** Users who attack, each within the limits of requests. */
const USERS = 8;
/** After a refusal, and between two imports of one user. */
const PAUSE_MS = 100;

interface Target {
  tokens: string[];
  /** In base64. */
  archive: string;
}

/** Sends an archive as a form. */
async function sendArchive(attackers: Attackers, token: string, archive: Buffer, number: number) {
  const path = `bomb-${number}-${process.hrtime.bigint()}`;
  // Most of them are plans, which make a client wait.
  const form = new Response(importForm(archive, { name: path, path, dry_run: number % 4 !== 0 }));
  await attackers.ask({
    method: 'POST',
    path: '/api/v4/projects/import',
    token,
    headers: { 'content-type': form.headers.get('content-type') as string },
    body: Buffer.from(await form.arrayBuffer()),
  });
}

/** Archives of ten kilobytes with a line of 3.4 million elements, imported and planned by several users. */
export const archiveBombs = attack<Target>({
  name: NAME,
  worker: true,
  async prepare(ground) {
    // It makes them while it loads.
    const { lineBombs } = await import('../../archives/import-plans/line-bombs.js');
    const users = Array.from({ length: USERS }, (_, index) => ATTACKER + index);
    return {
      tokens: await Promise.all(users.map((user) => ground.tokenOf(user))),
      archive: lineBombs.projects.toString('base64'),
    };
  },
  async run(attackers, { tokens, archive }) {
    const bytes = Buffer.from(archive, 'base64');
    let number = 0;
    await attackers.several(USERS, async (attacker) => {
      number += 1;
      await sendArchive(attackers, tokens[attacker] as string, bytes, number);
      await attackers.pause(PAUSE_MS);
    });
  },
  beside: (ground) => schedulesBeside(NAME, ground),
});
