import { gzipSync } from 'node:zlib';
import { getTar } from '../read/tar-bytes.js';

/** A line of 9.9 MiB, of which each element would become a row. */
const line = `{"id":1,"iid":1,"title":"One","notes":[{}${',{}'.repeat(3_450_000)}]}\n`;

/** Archives of some ten kilobytes with such a line. */
export const lineBombs = {
  projects: gzipSync(
    getTar([
      { name: './tree/project.json', body: '{"description":"d"}' },
      { name: './tree/project/issues.ndjson', body: line },
    ]),
  ),
  groups: gzipSync(
    getTar([
      { name: './tree/groups/_all.ndjson', body: '1\n' },
      { name: './tree/groups/1.json', body: '{"id":1,"name":"G","path":"g"}' },
      { name: './tree/groups/1/epics.ndjson', body: line },
    ]),
  ),
};

/** Why each is rejected. */
export const bombReasons = {
  projects: 'The archive has a line of more than 50000 elements. (tree/project/issues.ndjson, line 1)',
  groups: 'The archive has a line of more than 50000 elements. (tree/groups/1/epics.ndjson, line 1)',
};
