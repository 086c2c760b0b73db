import { randomBytes } from 'node:crypto';
import { attack } from './attack.js';

const GUESSES_A_MINUTE = 1000;

/** Wrong tokens, from the address that the good ones of the others come from as well. */
export const guesses = attack({
  name: 'attack-guesses',
  prepare: () => Promise.resolve(null),
  async run(attackers) {
    await attackers.several(1, async () => {
      const token = `pat-${randomBytes(15).toString('base64url')}`;
      void attackers.ask({ path: '/api/v4/user', token, sameAddress: true });
      await attackers.pause(60_000 / GUESSES_A_MINUTE);
    });
  },
});
