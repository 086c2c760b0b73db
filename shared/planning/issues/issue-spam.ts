import { ANONYMOUS } from '../../core/context/callers.js';
import type { SignedInContext } from '../../core/context/context.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { GuardedText } from '../../tenancy/spam/checker.js';
import { projectIssuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.entity.js';

interface Said {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly confidential?: boolean | undefined;
}

/** Whether anonymous visitors can see the non-confidential issues of a project, regardless of the caller's own role. */
const showsIssues = (project: ProjectRecord): boolean =>
  projectIssuePolicy.read_issue(ANONYMOUS, { ...project, access: 0 });

const isPublic = (project: ProjectRecord, confidential: boolean): boolean => !confidential && showsIssues(project);

const issueText = (action: GuardedText['action'], { title, description }: Said): GuardedText => ({
  type: 'Issue',
  action,
  title: title ?? '',
  text: description ?? '',
});

/** The publicly visible text of a new issue. */
export const textOfNewIssue = (_ctx: SignedInContext, project: ProjectRecord, input: Said): GuardedText | null =>
  isPublic(project, input.confidential ?? false) ? issueText('create', input) : null;

/** What it would see of an edited one, where title, description or who sees it changes. */
export function textOfEditedIssue(_ctx: SignedInContext, issue: IssueRecord, input: Said): GuardedText | null {
  const after = {
    title: input.title?.trim() ?? issue.title,
    description: input.description === undefined ? issue.description : input.description,
    confidential: input.confidential ?? issue.confidential,
  };
  const changes =
    after.title !== issue.title ||
    (after.description ?? '') !== (issue.description ?? '') ||
    after.confidential !== issue.confidential;
  return changes && isPublic(issue.project, after.confidential) ? issueText('update', after) : null;
}

interface Target {
  readonly to_project_id: number;
}

/** What it would see of a copy. */
export async function textOfClonedIssue(
  ctx: SignedInContext,
  issue: IssueRecord,
  { to_project_id: id }: Target,
): Promise<GuardedText | null> {
  const target = await findProject(ctx, id);
  return isPublic(target, issue.confidential) ? issueText('create', issue) : null;
}

/** The publicly visible text of an issue that moves to another project, if it was not public before. */
export async function textOfMovedIssue(
  ctx: SignedInContext,
  issue: IssueRecord,
  to: Target,
): Promise<GuardedText | null> {
  return isPublic(issue.project, issue.confidential) ? null : textOfClonedIssue(ctx, issue, to);
}
