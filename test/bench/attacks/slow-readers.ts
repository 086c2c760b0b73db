import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import { commitLines, fastImport } from './repositories.js';

const READERS = 40;
const START_EVERY_MS = 50;
const FILE_MIB = 470;
const BYTES_A_SECOND = 8;

function* largeFile(): Iterable<string | Buffer> {
  yield `blob\nmark :1\ndata ${FILE_MIB * 1024 * 1024}\n`;
  const piece = Buffer.alloc(1024 * 1024, 'slow\n');
  for (let sent = 0; sent < FILE_MIB; sent += 1) yield piece;
  yield `\n${commitLines('large', 'A large file')}M 100644 :1 large.bin\n`;
}

/** Readers of a large file who take a few bytes a second. */
export const slowReaders = attack({
  name: 'attack-slow-readers',
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    // In a pack, where git holds a file of this size whole.
    await ground.publish(project, [{ name: 'large', sha: await fastImport(project, largeFile(), 'large') }]);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    const path = `/api/v4/projects/${id}/repository/files/large.bin/raw?ref=large`;
    await attackers.several(READERS, async (reader) => {
      await attackers.pause(reader * START_EVERY_MS);
      await attackers.ask({
        path,
        token,
        read(answer) {
          if (answer.statusCode !== 200) return answer.resume();
          answer.pause();
          const timer = setInterval(() => answer.read(BYTES_A_SECOND), 1000);
          answer.once('close', () => clearInterval(timer));
        },
      });
    });
  },
});
