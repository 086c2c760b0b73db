import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import {
  environmentSlug,
  ENVIRONMENT_TIERS,
  guessTier,
  readEnvironmentValues,
} from '../../deployments/environments/environment.rules.js';
import { MAX_ENTRIES, countProblems, nameProblems } from '../../deployments/protected-environments/entry-params.js';
import { requireIssueValues } from '../../planning/issuables/issue-values.js';
import { countTasks } from '../../planning/issuables/task-lists.js';
import { requireSnippetValues } from '../../planning/snippets/snippet-values.js';
import { ruleNameProblems } from '../../repositories/protected-refs/rule-names.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { mergeRequestRow } from './merge-request-rules.js';
import {
  awards,
  isCount,
  validIid,
  labelLinks,
  notes,
  requireShort,
  requireText,
  rowsIn,
  getRowText,
  timelogs,
} from './row-rules.js';

const SLUG = /^[a-z]([a-z0-9-]{0,22}[a-z0-9])?$/;
const ROLES: readonly number[] = [ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer, ACCESS_LEVELS.admin];
const MAX_APPROVALS = 5;

const isOneOf = (allowed: readonly string[], value: unknown) => allowed.includes(getRowText(value));

/** An environment. What was being stopped has nothing here that goes on with it. */
function environmentRow(row: CleanRow): CleanRow {
  const name = getRowText(row.name);
  const { external_url, description, kubernetes_namespace, flux_resource_path } = row as Record<string, string | null>;
  const values = readEnvironmentValues({ name, external_url, description, kubernetes_namespace, flux_resource_path });
  return {
    ...row,
    ...values,
    slug: SLUG.test(getRowText(row.slug)) ? row.slug : environmentSlug(name),
    tier: isOneOf(ENVIRONMENT_TIERS, row.tier) ? row.tier : guessTier(name),
    state: row.state === 'stopping' ? 'stopped' : (row.state ?? 'available'),
    auto_stop_setting: isOneOf(['always', 'with_action'], row.auto_stop_setting) ? row.auto_stop_setting : 'always',
  };
}

const getRole = (level: unknown): number =>
  ROLES.includes(level as number) ? (level as number) : ACCESS_LEVELS.maintainer;
const inherits = (value: unknown): number => (value === 1 ? 1 : 0);
const isWithin = (count: unknown) => typeof count === 'number' && count >= 1 && count <= MAX_APPROVALS;

function requireFew(row: CleanRow, name: string): void {
  if (rowsIn(row[name]).length > MAX_ENTRIES) throw new BadRow(`has more than ${MAX_ENTRIES} entries`, [name]);
}

/**
 * A protected environment. Users and groups of its entries do not exist here: if no other entry may deploy, Maintainers
 * may, and each approval that they had to give becomes one by Maintainers, so that the protection is never weakened.
 */
function protectedEnvironmentRow(row: CleanRow): CleanRow {
  const count = (row.required_approval_count ?? 0) as number;
  const [problem] = [...nameProblems('project', getRowText(row.name)), ...countProblems(count)];
  if (problem !== undefined) throw new BadRow(problem);
  requireFew(row, 'deploy_access_levels');
  requireFew(row, 'approval_rules');
  const validRows = rowsIn(row.deploy_access_levels).filter((one) => ROLES.includes(one.access_level as number));
  const levels = new Map(validRows.map((one) => [one.access_level, inherits(one.group_inheritance_type)]));
  if (levels.size === 0) levels.set(ACCESS_LEVELS.maintainer, 0);
  return {
    ...row,
    required_approval_count: count,
    deploy_access_levels: [...levels].map(([access_level, group_inheritance_type]) => ({
      access_level,
      group_inheritance_type,
    })),
    approval_rules: rowsIn(row.approval_rules).map((one) => ({
      access_level: getRole(one.access_level),
      group_inheritance_type: inherits(one.group_inheritance_type),
      required_approvals: isWithin(one.required_approvals) ? one.required_approvals : 1,
    })),
  };
}

const SEVERITIES = ['low', 'medium', 'high', 'critical'];
const notesWithAwards = (value: unknown): CleanRow[] =>
  notes(value).map((note) => ({ ...note, award_emoji: awards(note.award_emoji) }));

function issue(row: CleanRow): CleanRow {
  const title = getRowText(row.title);
  const description = row.description as string | null;
  requireIssueValues({ title, description, weight: row.weight as number | null });
  const incident = row.issue_type === 'incident' && SEVERITIES.includes(getRowText(row.severity));
  return {
    ...row,
    ...countTasks(description),
    title: title.trim(),
    iid: validIid(row.iid),
    state: row.state ?? 'opened',
    issue_type: row.issue_type ?? 'issue',
    severity: incident ? row.severity : 'unknown',
    time_estimate: isCount(row.time_estimate) ? row.time_estimate : 0,
    timelogs: timelogs(row.timelogs),
    award_emoji: awards(row.award_emoji),
    label_links: labelLinks(row.label_links),
    notes: notesWithAwards(row.notes),
  };
}

/** The roles allowed in a rule; Maintainers if it has none (because it referenced users, for example). */
function roles(value: unknown, allowedLevels: readonly number[]): CleanRow[] {
  const levels = new Set(rowsIn(value).map(({ access_level: level }) => level as number));
  const roleLevels = allowedLevels.filter((level) => levels.has(level));
  return (roleLevels.length > 0 ? roleLevels : [ACCESS_LEVELS.maintainer]).map((access_level) => ({ access_level }));
}

const REF_ROLES = [ACCESS_LEVELS.no_access, ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer];

function requireRuleName(row: CleanRow): void {
  const [problem] = ruleNameProblems(getRowText(row.name));
  if (problem !== undefined) throw new BadRow(problem);
}

function protectedBranch(row: CleanRow): CleanRow {
  requireRuleName(row);
  return {
    ...row,
    push_access_levels: roles(row.push_access_levels, [...REF_ROLES, ACCESS_LEVELS.admin]),
    merge_access_levels: roles(row.merge_access_levels, [...REF_ROLES, ACCESS_LEVELS.admin]),
    // If the archive has no such entries, the rule has no special restriction on its removal.
    unprotect_access_levels:
      rowsIn(row.unprotect_access_levels).length === 0
        ? []
        : roles(row.unprotect_access_levels, [...REF_ROLES.slice(1), ACCESS_LEVELS.admin]),
  };
}

function protectedTag(row: CleanRow): CleanRow {
  requireRuleName(row);
  return { ...row, create_access_levels: roles(row.create_access_levels, REF_ROLES) };
}

function pipelineSchedule(row: CleanRow): CleanRow {
  requireText(row, 'description');
  requireText(row, 'ref');
  requireShort(row, 'cron', 255);
  return row;
}

function snippet(row: CleanRow): CleanRow {
  const title = getRowText(row.title);
  requireSnippetValues({ title, description: row.description as string | null });
  return {
    ...row,
    title: title.trim(),
    award_emoji: awards(row.award_emoji),
    notes: notesWithAwards(row.notes),
  };
}

/** Rules of what projects alone have. */
export const projectRowRules: Readonly<Record<string, (row: CleanRow) => CleanRow>> = {
  issues: issue,
  merge_requests: mergeRequestRow,
  environments: environmentRow,
  protected_environments: protectedEnvironmentRow,
  protected_branches: protectedBranch,
  protected_tags: protectedTag,
  pipeline_schedules: pipelineSchedule,
  snippets: snippet,
};
