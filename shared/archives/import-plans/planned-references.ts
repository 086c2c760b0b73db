import { createHash } from 'node:crypto';
import type { SignedInContext } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { SAME_BRANCHES } from '../archive-imports/failures.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { recordset, tables } from '../archive-imports/restoring.js';
import { truncate } from '../read/archive-rejected.js';
import type { CleanRow } from '../staging/clean-row.js';
import type { StagedRow } from '../staging/read-relation.js';
import type { PlannedContainer } from './planned-names.js';

/** Maximum numbers of items remembered for one archive: they limit memory use. */
const MOST = { milestones: 200_000, references: 100_000, branches: 100_000, alike: 10_000 };
const LARGEST = 2 ** 31 - 1;
/** Characters of a reason. */
const LONGEST_REASON = 255;
/**
 * Maximum number of characters stored of a text: one more than titles and user names may have here, so that a truncated
 * text matches none.
 */
const MAX_TEXT_LENGTH = 256;

/** A milestone as a row names it. */
interface MilestoneReference {
  /** Of boards alone. */
  readonly id: number | null;
  readonly title: string | null;
  readonly group: number | null;
}

/** An epic as an issue names it. */
interface EpicReference {
  readonly iid: number | null;
  readonly title: string;
  readonly isConfidential: boolean;
}

/** A reference in a row, and its label in the import's report if it is missing. */
interface Reference {
  readonly label: string;
  readonly milestone?: MilestoneReference;
  readonly epic?: EpicReference;
  /** The id of a user, in the archive. */
  readonly user?: number | null;
}

interface Referring extends Omit<StagedRow, 'data'> {
  readonly references: readonly Reference[];
}

const getObject = (value: unknown) => (value ?? {}) as CleanRow;
const getText = (value: unknown) => (typeof value === 'string' ? truncate(value, MAX_TEXT_LENGTH) : null);
const getId = (value: unknown) => (value ?? null) as number | null;

const getMilestone = (value: unknown, id: unknown = null): MilestoneReference => {
  const { title, group_id } = getObject(value);
  return { id: getId(id), title: getText(title), group: getId(group_id) };
};

/** References of an issue or merge request to records that its project, or an ancestor group, may not have. */
function referencesOfIssuable({ milestone, epic, confidential }: CleanRow): Reference[] {
  const milestoneRef = getMilestone(milestone);
  const { iid, title: epicTitle } = getObject(epic);
  const title = getText(epicTitle);
  return [
    ...(milestoneRef.title === null ? [] : [{ label: `its milestone ${milestoneRef.title}`, milestone: milestoneRef }]),
    ...(title !== null
      ? [{ label: `its epic ${title}`, epic: { iid: getId(iid), title, isConfidential: confidential === true } }]
      : []),
  ];
}

function referenceOfList({ list_type, milestone, assignee, user_id }: CleanRow): Reference[] {
  const milestoneRef = getMilestone(milestone);
  const { id, username } = getObject(assignee);
  if (list_type === 'milestone')
    return [{ label: `its list of the milestone ${milestoneRef.title ?? ''}`, milestone: milestoneRef }];
  if (list_type !== 'assignee') return [];
  return [{ label: `its list of the assignee ${getText(username) ?? ''}`, user: getId(id ?? user_id) }];
}

/** References of a board and its lists; missing labels are created. */
function referencesOfBoard({ milestone, milestone_id, board_assignee, lists }: CleanRow): Reference[] {
  const milestoneRef = getMilestone(milestone, milestone_id);
  const isOfMilestone = milestoneRef.title !== null || milestoneRef.id !== null;
  const { assignee, assignee_id } = getObject(board_assignee);
  const { id, username } = getObject(assignee);
  return [
    ...(isOfMilestone ? [{ label: `its milestone ${milestoneRef.title ?? ''}`, milestone: milestoneRef }] : []),
    ...(board_assignee ? [{ label: `its assignee ${getText(username) ?? ''}`, user: getId(id ?? assignee_id) }] : []),
    ...((lists ?? []) as CleanRow[]).flatMap(referenceOfList),
  ];
}

const REFERENCES: Readonly<Record<string, (data: CleanRow) => Reference[]>> = {
  boards: referencesOfBoard,
  issues: referencesOfIssuable,
  merge_requests: referencesOfIssuable,
};

/** Where rows of an archive would be created, and which users match. */
export interface ReferenceScope {
  /** In the order in which they would be made. */
  readonly containers: readonly PlannedContainer[];
  /** Groups above the import, the top one first. */
  readonly above: readonly number[];
  /** Ids of all groups of the archive, also of those that would be left out. */
  readonly groups: readonly number[];
  /** Whether a user of the archive, by the id there, is one here. */
  isUser(id: number): boolean;
}

/** Whether something that a row of a container names would be there. */
type IsThere = (container: PlannedContainer, reference: Reference) => boolean;

/**
 * Finds out what rows of an archive name that is not here: the import makes them without it. Whether a user here may be
 * chosen in a board shows only once it is done.
 */
export class PlannedReferences {
  readonly #rows: Referring[] = [];
  readonly #twins: Omit<StagedRow, 'data'>[] = [];
  /** Milestones of the archive by the group that they are of; 0 for a project. */
  readonly #milestones = new Map<number, { titles: Set<string>; ids: Set<number> }>();
  /** Digests of the branches of open merge requests. */
  readonly #branches = new Set<string>();
  /** Most rows name what others name as well. */
  readonly #alike = new Map<string, Reference>();
  #counts = { milestones: 0, references: 0 };

  add({ data, ...row }: StagedRow): void {
    if (row.relation === 'milestones') this.#know(row.source_group, data);
    if (row.relation === 'merge_requests' && this.#isTwin(data)) {
      if (this.#twins.length < MOST.branches) this.#twins.push(row);
    } else this.#keep(row, REFERENCES[row.relation]?.(data) ?? []);
  }

  #keep(row: Omit<StagedRow, 'data'>, found: readonly Reference[]): void {
    const references = found.slice(0, MOST.references - this.#counts.references).map((one) => this.#shared(one));
    if (references.length === 0) return;
    this.#counts.references += references.length;
    this.#rows.push({ ...row, references });
  }

  #shared(reference: Reference): Reference {
    const key = JSON.stringify(reference);
    const shared = this.#alike.get(key);
    if (!shared && this.#alike.size < MOST.alike) this.#alike.set(key, reference);
    return shared ?? reference;
  }

  #know(source: number, { id, title }: CleanRow): void {
    if (this.#counts.milestones >= MOST.milestones) return;
    this.#counts.milestones += 1;
    const names = this.#milestones.get(source) ?? { titles: new Set(), ids: new Set() };
    this.#milestones.set(source, names);
    names.titles.add(title as string);
    if (typeof id === 'number') names.ids.add(id);
  }

  /** Whether an earlier open one has the same branches. */
  #isTwin({ state, source_is_target, source_branch, target_branch }: CleanRow): boolean {
    if (state !== 'opened' || source_is_target !== true) return false;
    const branches = createHash('sha256')
      .update(JSON.stringify([source_branch, target_branch]))
      .digest('base64');
    if (this.#branches.has(branches)) return true;
    if (this.#branches.size < MOST.branches) this.#branches.add(branches);
    return false;
  }

  /** Merge requests that an import would leave out, since earlier ones of the archive have their branches. */
  twins(containers: readonly PlannedContainer[]): ImportFailure[] {
    return containers.flatMap(({ source, file }) =>
      this.#twins
        .filter(({ source_group: group }) => group === source)
        .map(({ relation, line }) => ({ file: file(relation), line, relation, reason: SAME_BRANCHES })),
    );
  }

  /** Rows that an import would make without something that they name. */
  async missing(ctx: SignedInContext, scope: ReferenceScope): Promise<ImportFailure[]> {
    // Beyond the memory limit it is unknown which ones are missing.
    if (this.#counts.milestones >= MOST.milestones) return [];
    const isThere = await this.#finder(ctx, scope);
    const rows = Map.groupBy(this.#rows, ({ source_group: group }) => group);
    return scope.containers.flatMap((container) =>
      (rows.get(container.source) ?? []).flatMap(({ relation, line, references }) => {
        const labels = references.filter((one) => !isThere(container, one)).map((one) => one.label);
        if (labels.length === 0) return [];
        const without = relation === 'boards' ? [labels.join(', ')] : labels;
        const reason = truncate(without.map((what) => `is made without ${what}`).join('; '), LONGEST_REASON);
        return [{ file: container.file(relation), line, relation, reason }];
      }),
    );
  }

  async #finder(ctx: SignedInContext, { above, groups, isUser }: ReferenceScope): Promise<IsThere> {
    const references = this.#rows.flatMap((row) => row.references);
    const titles = await titlesAbove(
      ctx,
      above,
      references.flatMap(({ milestone }) => milestone?.title ?? []),
    );
    const hasEpic = await epicsAbove(
      ctx,
      above,
      references.flatMap(({ epic }) => epic ?? []),
    );
    const inArchive = new Set(groups);
    return (container, { milestone, epic, user }) => {
      if (milestone) return this.#hasMilestone(container, milestone, titles, inArchive);
      if (epic) return hasEpic(epic);
      return user !== null && user !== undefined && isUser(user);
    };
  }

  /** By the rules that the import finds milestones by. @param titles of milestones of groups above the import */
  #hasMilestone(
    { source, above }: PlannedContainer,
    { id, title, group }: MilestoneReference,
    titles: ReadonlySet<string>,
    groups: ReadonlySet<number>,
  ): boolean {
    const inForce = [source, ...above];
    const hasTitle = (of: number) => title !== null && (this.#milestones.get(of)?.titles.has(title) ?? false);
    const isAbove = title !== null && titles.has(title);
    if (id !== null && source !== 0 && inForce.some((of) => this.#milestones.get(of)?.ids.has(id))) return true;
    if (source === 0 || group === null) return inForce.some(hasTitle) || isAbove;
    return groups.has(group) ? inForce.includes(group) && hasTitle(group) : isAbove;
  }
}

/** The titles among these that milestones of groups have. */
async function titlesAbove(
  ctx: SignedInContext,
  namespaces: readonly number[],
  titles: readonly string[],
): Promise<Set<string>> {
  if (namespaces.length === 0 || titles.length === 0) return new Set();
  const rows = await tables({ ctx })
    .selectFrom('milestones as m')
    .select('m.title')
    .distinct()
    .where('m.namespace_id', '=', anyOf(namespaces, 'bigint'))
    .where('m.title', '=', anyOf([...new Set(titles)], 'text'))
    .execute();
  return new Set(rows.map(({ title }) => title));
}

/**
 * Finds whether issues would be added to their epics again: to those with the same number and title in ancestor groups.
 */
async function epicsAbove(
  ctx: SignedInContext,
  namespaces: readonly number[],
  epics: readonly EpicReference[],
): Promise<(epic: EpicReference) => boolean> {
  const getKey = ({ iid, title }: Pick<EpicReference, 'iid' | 'title'>) => `${iid} ${title}`;
  const byKey = new Map(epics.map((epic) => [getKey(epic), { iid: epic.iid, title: epic.title }]));
  const possible = [...byKey.values()].filter(({ iid }) => Number.isInteger(iid) && Math.abs(iid ?? 0) <= LARGEST);
  if (!ctx.hasPlan('premium') || namespaces.length === 0 || possible.length === 0) return () => false;
  const found = await tables({ ctx })
    .selectFrom(recordset(possible, 'x', { iid: 'int', title: 'text' }))
    .innerJoin('epics as ep', (join) => join.onRef('ep.iid', '=', 'x.iid').onRef('ep.title', '=', 'x.title'))
    .select(['ep.iid', 'ep.title', 'ep.namespace_id', 'ep.confidential'])
    .where('ep.namespace_id', '=', anyOf(namespaces, 'bigint'))
    .execute();
  const own = namespaces.at(-1);
  const open = new Set(found.filter(({ confidential }) => !confidential).map(getKey));
  const hidden = new Set(found.filter((one) => one.confidential && one.namespace_id === own).map(getKey));
  return (epic) => open.has(getKey(epic)) || (epic.isConfidential && hidden.has(getKey(epic)));
}
