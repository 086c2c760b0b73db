import type { SignedInContext } from '../../core/context/context.js';
import { MAX_ANCESTORS, valueProblems } from '../../tenancy/groups/group.rules.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { groupRelationFile, NO_GROUP, PROJECT_BUNDLE, projectRelationFile } from '../format/layout.js';
import { MAX_LISTED, planLeftOut, PlanSink, readForPlan } from '../import-plans/plan-import.js';
import type { ReadPlan } from '../import-plans/plan-import.js';
import type { PlannedContainer } from '../import-plans/planned-names.js';
import type { PlannedUsers } from '../import-plans/planned-people.js';
import type { PlannedArchive } from '../import-plans/run-import-plan.js';
import type { IncomingEntry } from '../read/entries.js';
import { archiveReaders } from '../staging/read-archive.js';
import type { SourceGroups } from '../staging/read-archive.js';
import type { CleanRow } from '../staging/clean-row.js';
import { importedProjectVisibility } from './imported-settings.js';

/** A group that an import would make, or leave out. */
interface PlannedGroup {
  source_id: number;
  /** Full path; null for one that is left out before it has one. */
  full_path: string | null;
  name: string | null;
  /** Rows by relation. */
  counts: Record<string, number>;
  /** Why it would be left out; null for one that would be made. */
  skipped: string | null;
}

/** What a group import would do. */
export interface GroupImportPlan extends ReadPlan {
  groups_count: number;
  /** The first of them, in the order of the archive. */
  groups: PlannedGroup[];
  users: PlannedUsers;
}

const firstProblem = (problems: Record<string, string[]>): string | null => {
  const [found] = Object.entries(problems);
  return found ? `${found[0]} ${found[1].join(', ')}` : null;
};

/** Groups as they would be made, one after the other as the import does it. */
function planGroups(groups: SourceGroups, sink: PlanSink, rootPath: string, rootName: string): PlannedGroup[] {
  const paths = new Map<number, string>();
  const usedPaths = new Set<string>();
  return groups.ids.map((id, position) => {
    const attributes = groups.attributes.get(id);
    const { name = null, path = null, parent_id = null } = (attributes ?? {}) as Record<string, never>;
    const planned = { source_id: id, name, full_path: null as string | null, counts: sink.counts.get(id) ?? {} };
    const skip = (skipped: string) => ({ ...planned, skipped });
    if (!attributes) return skip('its attributes are missing or not what they should be');
    const above = position === 0 ? null : paths.get(parent_id ?? 0);
    if (above === undefined) return skip('the group above it is not there');
    const full = above === null ? rootPath : `${above}/${path ?? ''}`;
    const problem = above === null ? null : firstProblem(valueProblems({ name: name ?? '', path: path ?? '' }, true));
    if (problem !== null) return skip(problem);
    if (usedPaths.has(full.toLowerCase())) return skip('path has already been taken');
    if (full.split('/').length > MAX_ANCESTORS + 1) return skip('parent has too deep level of nesting');
    usedPaths.add(full.toLowerCase());
    paths.set(id, full);
    return { ...planned, name: above === null ? rootName : name, full_path: full, skipped: null };
  });
}

/** Input for planning a group import in addition to the archive: the group's future path, and its name. */
export interface PlannedRoot {
  name: string;
  full_path: string;
  /** Ids of the groups above it, the top one first. */
  above: readonly number[];
}

/** The groups that would be made, each with those above it in the archive. */
function plannedContainers({ attributes }: SourceGroups, planned: readonly PlannedGroup[]): PlannedContainer[] {
  const chains = new Map<number, number[]>();
  return planned.flatMap(({ source_id: source, full_path: path, skipped }) => {
    if (path === null || skipped !== null) return [];
    const parent = (attributes.get(source)?.parent_id ?? 0) as number;
    const above = chains.get(parent) ?? [];
    chains.set(source, [...above, source]);
    return [{ source, above, path, file: (relation: string) => groupRelationFile(source, relation) }];
  });
}

/**
 * Plans the import of an archive whose target has already been checked; changes nothing.
 * @throws Invalid (422) for an archive that would be rejected
 */
export async function planGroupImport(
  ctx: SignedInContext,
  archive: PlannedArchive,
  { name, full_path: rootPath, above }: PlannedRoot,
): Promise<GroupImportPlan> {
  const sink = new PlanSink(ctx);
  const read = await readForPlan(ctx, archive, (entries, report) => archiveReaders.group(entries, sink, report));
  const planned = planGroups(read.found, sink, rootPath, name);
  return {
    groups_count: planned.length,
    groups: planned.slice(0, MAX_LISTED),
    ...(await planLeftOut(ctx, read, sink, {
      containers: plannedContainers(read.found, planned),
      groups: read.found.ids,
      above,
      sharesMilestonesWith: [],
    })),
  };
}

/** What a project import would do. */
export interface ProjectImportPlan extends ReadPlan {
  name: string;
  full_path: string;
  visibility: string;
  /** Full path of the project that would give way (`overwrite`); null where there is none. */
  replaces: string | null;
  /** Whether the archive has a repository. */
  repository: boolean;
  users: PlannedUsers;
}

/**
 * Input for planning a project import in addition to the archive: the project's future path, and the import options.
 */
export interface PlannedProject {
  name: string;
  full_path: string;
  namespace: Pick<ProjectTarget, 'id' | 'traversal_ids' | 'kind' | 'visibility'>;
  overrides: Record<string, unknown> | null;
  replaces: string | null;
}

/** Passes entries on, and notifies of one of this name. */
async function* getNotify(
  entries: AsyncIterable<IncomingEntry>,
  name: string,
  notify: () => void,
): AsyncGenerator<IncomingEntry> {
  for await (const entry of entries) {
    if (entry.name === name) notify();
    yield entry;
  }
}

/**
 * Plans the import of an archive whose target has already been checked; changes nothing. Effects that depend on
 * commits, such as merge requests with missing commits, are only known after the import.
 * @throws Invalid (422) for an archive that would be rejected
 */
export async function planProjectImport(
  ctx: SignedInContext,
  archive: PlannedArchive,
  { name, full_path, namespace, overrides, replaces }: PlannedProject,
): Promise<ProjectImportPlan> {
  const sink = new PlanSink(ctx);
  let repository = false;
  const read = await readForPlan(ctx, archive, (entries, report) =>
    archiveReaders.project(
      getNotify(entries, PROJECT_BUNDLE, () => (repository = true)),
      sink,
      report,
    ),
  );
  const attributes = read.found.attributes.get(NO_GROUP) as CleanRow;
  const container = { source: NO_GROUP, above: [], path: full_path, file: projectRelationFile };
  const above = [...namespace.traversal_ids];
  return {
    name,
    full_path,
    visibility: importedProjectVisibility(attributes, overrides ?? {}, namespace),
    replaces,
    repository,
    ...(await planLeftOut(ctx, read, sink, {
      containers: [container],
      groups: [],
      above,
      sharesMilestonesWith: [namespace.id],
    })),
  };
}
