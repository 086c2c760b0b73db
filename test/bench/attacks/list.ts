import { archiveBombs } from './archive-bombs.js';
import type { AnyAttack } from './attack.js';
import { authorize } from './authorize.js';
import { bodies } from './bodies.js';
import { gitattributes } from './gitattributes.js';
import { graphqlClients } from './graphql-clients.js';
import { graphql } from './graphql.js';
import { guesses } from './guesses.js';
import { messages, trailers } from './messages.js';
import { regex } from './regex.js';
import { silentGit } from './silent-git.js';
import { slowReaders } from './slow-readers.js';
import { treeBombs, tree } from './tree-bombs.js';
import { withStats } from './with-stats.js';

/** Every attack, in the order in which they are measured. */
export const attacks: readonly AnyAttack[] = [
  regex,
  messages,
  trailers,
  slowReaders,
  withStats,
  tree,
  graphql,
  graphqlClients,
  bodies,
  authorize,
  silentGit,
  gitattributes,
  archiveBombs,
  treeBombs,
  // Last: an address that guessed is refused for a minute.
  guesses,
];
