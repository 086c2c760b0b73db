import { gzipSync } from 'node:zlib';
import { getTar } from '../read/tar-bytes.js';
import type { RawEntry } from '../read/tar-bytes.js';

type Row = Record<string, unknown>;

/** A group of an archive: its attributes, and rows by relation. */
export interface SampleGroup {
  id: number;
  attributes?: Row;
  relations?: Record<string, Row[]>;
}

const line = (row: Row) => `${JSON.stringify(row)}\n`;

const getAttributes = ({ id, attributes = {} }: SampleGroup, parent: number | null): Row => ({
  id,
  name: `Group ${id}`,
  path: `group-${id}`,
  description: '',
  visibility_level: 20,
  parent_id: parent,
  ...attributes,
});

/** The entries of an archive of groups, laid out as the public product does it. */
function sampleEntries(groups: readonly SampleGroup[]): RawEntry[] {
  const [first] = groups;
  return [
    { name: './', type: '5' },
    { name: './VERSION', body: '0.2.4' },
    { name: './GITLAB_VERSION', body: '18.6.0' },
    { name: './GITLAB_REVISION', body: 'abcdef12345' },
    { name: './tree/', type: '5' },
    { name: './tree/groups/', type: '5' },
    { name: './tree/groups/_all.ndjson', body: groups.map(({ id }) => `${id}\n`).join('') },
    ...groups.flatMap((group) => [
      {
        name: `./tree/groups/${group.id}.json`,
        body: JSON.stringify(getAttributes(group, group === first ? null : (first?.id ?? null))),
      },
      { name: `./tree/groups/${group.id}/`, type: '5' },
      ...Object.entries(group.relations ?? {}).map(([relation, rows]) => ({
        name: `./tree/groups/${group.id}/${relation}.ndjson`,
        body: rows.map(line).join(''),
      })),
      { name: `./tree/groups/${group.id}/of_the_future.ndjson`, body: '{"unknown":true}\n' },
    ]),
  ];
}

/** An archive of groups. The first is the exported one; the others are right below it unless they say otherwise. */
export const sampleArchive = (groups: readonly SampleGroup[], others: readonly RawEntry[] = []): Buffer =>
  gzipSync(getTar([...others, ...sampleEntries(groups)]));

/** The form of an import. */
export function importForm(
  archive: Buffer | null,
  fields: Record<string, string | number | boolean>,
  { filename = 'export.tar.gz', fileFirst = false } = {},
): FormData {
  const form = new FormData();
  const file = () => {
    if (archive) form.append('file', new Blob([new Uint8Array(archive)], { type: 'application/gzip' }), filename);
  };
  if (fileFirst) file();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  if (!fileFirst) file();
  return form;
}
