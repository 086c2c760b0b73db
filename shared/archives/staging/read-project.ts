import { projectContentBundle, PROJECT_FILE, projectRelationFile } from '../format/layout.js';
import { projectAttributes, projectRelations } from '../format/project-relations.js';
import { ArchiveRejected } from '../read/archive-rejected.js';
import type { IncomingEntry } from '../read/entries.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { stageBundle, readAttributesOf, readRelation } from './read-relation.js';
import type { ReadReport } from './read-relation.js';
import type { RowSink } from './staged-rows.js';

const INCOMPATIBLE = 'The import file is incompatible';
/** What rows of a project say of the group that they are of. */
export const NO_GROUP = 0;

const relations = new Map(projectRelations.map((relation) => [projectRelationFile(relation.name), relation]));

/** Relations of the contract that there is nothing for here, by their files. */
const left = new Map(
  ['releases']
    .filter((name) => projectRelations.every((relation) => relation.name !== name))
    .map((name) => [projectRelationFile(name), name]),
);

/** @throws ArchiveRejected for what are no attributes of a project */
async function readAttributes(entry: IncomingEntry): Promise<CleanRow> {
  try {
    return await readAttributesOf(entry, projectAttributes);
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    throw new ArchiveRejected(`${INCOMPATIBLE}: ${error.message}`, { file: entry.name });
  }
}

/**
 * Reads an archive of a project, whatever the order of its entries: its attributes are returned, the rows of its
 * relations go to `sink`, and which wikis and snippets have bundles. Files and relations that are not known are passed
 * over.
 * @throws ArchiveRejected
 */
export async function readProject(
  entries: AsyncIterable<IncomingEntry>,
  sink: RowSink,
  report: ReadReport,
): Promise<CleanRow> {
  let attributes: CleanRow | null = null;
  for await (const entry of entries) {
    const relation = relations.get(entry.name);
    const bundle = projectContentBundle(entry.name);
    if (entry.name === PROJECT_FILE) attributes = await readAttributes(entry);
    else if (relation) await readRelation(entry, NO_GROUP, relation, sink, report);
    else if (bundle) await stageBundle(bundle, sink, report);
    else if (left.has(entry.name))
      report.failed({
        file: entry.name,
        line: null,
        relation: left.get(entry.name) ?? null,
        reason: 'is not restored here',
      });
  }
  if (attributes === null) throw new ArchiveRejected(INCOMPATIBLE, { file: PROJECT_FILE });
  return attributes;
}
