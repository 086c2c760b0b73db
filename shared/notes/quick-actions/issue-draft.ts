import type { z } from 'zod';
import type { SignedInContext } from '../../core/context.js';
import { invoke } from '../../core/operation.js';
import type { Operation } from '../../core/operation.js';
import { updateIssue } from '../../planning/issue-edits/update-issue.js';
import { assigneesOfIssues } from '../../planning/issues/issue.loads.js';
import { findIssue } from '../../planning/issues/issue.finder.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import { BadCommand } from './command-arguments.js';

/** What edits of an issue are asked for, by parameters of `updateIssue`. */
export interface IssueEdits {
  title?: string;
  state_event?: 'close' | 'reopen';
  labels?: string[];
  add_labels?: string[];
  remove_labels?: string[];
  assignee_ids?: number[];
  milestone_id?: number;
  due_date?: string | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  weight?: number | null;
}

const ANYBODYS: ReadonlySet<string> = new Set(['title', 'state_event']);

/**
 * An issue while commands change it: edits are collected, so that thousands of them are one; what is no edit is done at
 * once, after the edits before it.
 */
export class IssueDraft {
  #edits: IssueEdits = {};
  /** All that was asked for and done. */
  readonly changes: Record<string, unknown> = {};

  constructor(
    readonly ctx: SignedInContext,
    public issue: IssueRecord,
  ) {}

  get edits(): Readonly<IssueEdits> {
    return this.#edits;
  }

  /** Whether the issue is, or will be, open. */
  get opened(): boolean {
    const { state_event: event } = this.#edits;
    return event === undefined ? this.issue.state === 'opened' : event === 'reopen';
  }

  /** @throws BadCommand where the caller may not */
  edit(edits: IssueEdits): void {
    const ability = Object.keys(edits).every((name) => ANYBODYS.has(name)) ? 'update_issue' : 'set_issue_metadata';
    if (!issuePolicy[ability](this.ctx.caller, this.issue)) throw new BadCommand('');
    Object.assign(this.#edits, edits);
  }

  /** Ids of who is, or will be, to work on it. */
  async assignees(): Promise<number[]> {
    if (this.#edits.assignee_ids) return this.#edits.assignee_ids;
    await assigneesOfIssues.fill(this.ctx, [this.issue]);
    return (assigneesOfIssues.of(this.issue, this.ctx) ?? []).map(({ id }) => id);
  }

  /** Does what was collected. @throws what the operation throws */
  async write(): Promise<void> {
    const edits = this.#edits;
    if (Object.keys(edits).length === 0) return;
    this.#edits = {};
    this.issue = await invoke(this.ctx, updateIssue, { ...edits }, () => Promise.resolve(this.issue));
    Object.assign(this.changes, edits);
  }

  /** Runs another operation on the issue, which is read anew after it. */
  async run<P extends z.ZodRawShape, R>(
    operation: Operation<IssueRecord, P, R>,
    params: Record<string, unknown>,
  ): Promise<R> {
    await this.write();
    const result = await invoke(this.ctx, operation, params, () => Promise.resolve(this.issue));
    this.issue = await findIssue(this.ctx, this.issue.project, this.issue.iid);
    return result;
  }
}
