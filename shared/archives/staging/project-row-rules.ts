import { countTasks } from '../../planning/issuables/task-lists.js';
import { requireIssueValues } from '../../planning/issuables/issue-values.js';
import { requireSnippetValues } from '../../planning/snippets/snippet-values.js';
import { ruleNameProblems } from '../../repositories/protected-refs/rule-names.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { environmentRow, protectedEnvironmentRow } from './environment-rules.js';
import { mergeRequestRow } from './merge-request-rules.js';
import {
  awards,
  isCount,
  keptIid,
  labelLinks,
  notes,
  requireShort,
  requireText,
  rowsIn,
  textOf,
  timelogs,
} from './row-checks.js';

const SEVERITIES = ['low', 'medium', 'high', 'critical'];
const notesWithAwards = (value: unknown): CleanRow[] =>
  notes(value).map((note) => ({ ...note, award_emoji: awards(note.award_emoji) }));

function issue(row: CleanRow): CleanRow {
  const title = textOf(row.title);
  const description = row.description as string | null;
  requireIssueValues({ title, description, weight: row.weight as number | null });
  const incident = row.issue_type === 'incident' && SEVERITIES.includes(textOf(row.severity));
  return {
    ...row,
    ...countTasks(description),
    title: title.trim(),
    iid: keptIid(row.iid),
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

/** Roles that a rule may name; of a rule that names none (it named users, say) Maintainers. */
function roles(value: unknown, known: readonly number[]): CleanRow[] {
  const levels = new Set(rowsIn(value).map(({ access_level: level }) => level as number));
  const kept = known.filter((level) => levels.has(level));
  return (kept.length > 0 ? kept : [ACCESS_LEVELS.maintainer]).map((access_level) => ({ access_level }));
}

const REF_ROLES = [ACCESS_LEVELS.no_access, ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer];

function requireRuleName(row: CleanRow): void {
  const [problem] = ruleNameProblems(textOf(row.name));
  if (problem !== undefined) throw new BadRow(problem);
}

function protectedBranch(row: CleanRow): CleanRow {
  requireRuleName(row);
  return {
    ...row,
    push_access_levels: roles(row.push_access_levels, [...REF_ROLES, ACCESS_LEVELS.admin]),
    merge_access_levels: roles(row.merge_access_levels, [...REF_ROLES, ACCESS_LEVELS.admin]),
    // Nobody in particular may remove the rule where it says nothing of it.
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
  const title = textOf(row.title);
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
