import type { ImportFailure } from '../archive-imports/failures.js';
import type { RelationCounts } from '../staging/read-relation.js';
import type { RowSink } from '../staging/staged-rows.js';
import { groupPaths, readArchiveFile } from './archive-file.js';
import type { InspectedArchive } from './archive-file.js';
import { quotedName } from '../read/entry-rules.js';

const MOST_PROBLEMS = 100;
const MOST_GROUPS = 1000;

// Own pattern: control characters and signs that turn the direction of a text.
/** What comes from an archive, on one line and without signs that terminals obey. */
const plain = (text: string): string => text.replace(/\p{C}/gu, ' ');

const failureLine = ({ file, line, relation, reason }: ImportFailure): string =>
  plain(
    `  ${file ?? 'archive'}${line === null ? '' : `:${line}`}${relation === null ? '' : ` (${relation})`} ${reason}`,
  );

function groupLines({ groups }: InspectedArchive, counts: ReadonlyMap<number, Map<string, number>>): string[] {
  const paths = groupPaths(groups);
  const root = String(groups.attributes.get(groups.ids[0] as number)?.path ?? '?');
  const lines = groups.ids.slice(0, MOST_GROUPS).map((id) => {
    const below = paths.get(id) ?? '?';
    const summary = [...(counts.get(id) ?? [])].map(([relation, count]) => `${relation} ${count}`).join(', ');
    const missing = groups.attributes.has(id) ? '' : ' (without attributes)';
    return `  ${id} ${quotedName(below === '' ? root : `${root}/${below}`)}${missing}: ${summary === '' ? 'nothing' : summary}`;
  });
  const left = groups.ids.length - lines.length;
  return [`groups: ${groups.ids.length}`, ...lines, ...(left > 0 ? [`  and ${left} more`] : [])];
}

function bundleLines({ bundles }: InspectedArchive): string[] {
  const lines = bundles.map(({ name, bytes, refs }) => {
    const summary = refs === null ? 'NOT A BUNDLE' : `${refs.filter((ref) => !ref.endsWith(' HEAD')).length} refs`;
    return `  ${name}: ${bytes} bytes, ${summary}`;
  });
  return [`bundles: ${bundles.length}`, ...lines];
}

/**
 * What an archive holds, as lines for people: kind, groups, relations, counts, sizes and problems, as an import would
 * read it; bundles are not unpacked.
 * @throws ArchiveRejected for what an import would reject, an error of the file system
 */
export async function inspectArchive(file: string, signal: AbortSignal): Promise<string[]> {
  const relations: RelationCounts = new Map();
  const counts = new Map<number, Map<string, number>>();
  const problems: ImportFailure[] = [];
  let problemsCount = 0;
  const sink: RowSink = {
    add({ source_group: group, relation }) {
      const own = counts.get(group) ?? new Map<string, number>();
      counts.set(group, own.set(relation, (own.get(relation) ?? 0) + 1));
    },
  };
  const failed = (failure: ImportFailure) => {
    problemsCount += 1;
    if (problems.length < MOST_PROBLEMS) problems.push(failure);
  };
  const found = await readArchiveFile(file, sink, { counts: relations, failed }, signal);
  const left = problemsCount - problems.length;
  return [
    `archive of a ${found.kind}, layout ${plain(found.version ?? 'unknown')}`,
    `entries: ${found.entries}, ${found.bytes} bytes once decompressed`,
    ...(found.kind === 'group' ? groupLines(found, counts) : []),
    `relations: ${relations.size}`,
    ...[...relations].map(
      ([relation, { total, skipped }]) => `  ${relation}: ${total}${skipped > 0 ? `, ${skipped} left out` : ''}`,
    ),
    ...bundleLines(found),
    `problems: ${problemsCount}`,
    ...problems.map(failureLine),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
