import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { invoke } from '../../core/operations/invoke.js';
import type { Operation } from '../../core/operations/operation.js';
import type { ContainerRecord } from '../../planning/issuables/labels-of-titles.js';
import { BadCommand } from './command-arguments.js';

/** The requested edits, as parameters of the operations that edit records of all kinds. */
export interface Edits {
  title?: string;
  state_event?: 'close' | 'reopen';
  labels?: string[];
  add_labels?: string[];
  remove_labels?: string[];
  assignee_ids?: number[];
  reviewer_ids?: number[];
  milestone_id?: number;
  due_date?: string | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  weight?: number | null;
  target_branch?: string;
}

/** A record that commands change, as far as those know it that kinds have in common. */
export interface Drafted {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly discussion_locked?: boolean | null | undefined;
  readonly milestone_id?: number | null | undefined;
  readonly due_date?: string | null | undefined;
  readonly confidential?: boolean | undefined;
}

/** How a kind of records is changed by commands. */
export interface DraftKind<R extends Drafted> {
  /** As sentences call it: `issue`. */
  readonly called: string;
  /** The project or group that provides its labels. */
  containerOf(record: R): ContainerRecord;
  /** Whether the caller may make these edits. */
  mayEdit(ctx: SignedInContext, record: R, names: readonly string[]): boolean;
  /** Ids of the assignees. */
  assignees(ctx: SignedInContext, record: R): Promise<number[]>;
  /** Ids of the reviewers. */
  reviewers?(ctx: SignedInContext, record: R): Promise<number[]>;
  /** Edits it by the operation of its kind. */
  update(ctx: SignedInContext, record: R, edits: Edits): Promise<R>;
  /** The record as it is now. */
  again(ctx: SignedInContext, record: R): Promise<R>;
}

/**
 * A record while commands change it: edits are collected into a single update; other commands run immediately, after
 * the edits before them.
 */
export class Draft<R extends Drafted = Drafted> {
  #edits: Edits = {};
  /** All requested changes that were made. */
  readonly changes: Record<string, unknown> = {};

  constructor(
    readonly ctx: SignedInContext,
    readonly kind: DraftKind<R>,
    public record: R,
    /** The head of a merge request that the author of the comment saw, where they say so. */
    readonly expectedSha?: string,
  ) {}

  get edits(): Readonly<Edits> {
    return this.#edits;
  }

  get container(): ContainerRecord {
    return this.kind.containerOf(this.record);
  }

  /** Whether the record is, or will be, open. */
  get opened(): boolean {
    const { state_event: event } = this.#edits;
    return event === undefined ? this.record.state === 'opened' : event === 'reopen';
  }

  /** The title that it has, or will have. */
  get title(): string {
    return this.#edits.title ?? this.record.title;
  }

  /** @throws BadCommand where the caller may not */
  edit(edits: Edits): void {
    if (!this.kind.mayEdit(this.ctx, this.record, Object.keys(edits))) throw new BadCommand('');
    Object.assign(this.#edits, edits);
  }

  /** Ids of the assignees, including pending edits. */
  async assignees(): Promise<number[]> {
    return this.#edits.assignee_ids ?? this.kind.assignees(this.ctx, this.record);
  }

  /** Ids of the reviewers, including pending edits. */
  async reviewers(): Promise<number[]> {
    return this.#edits.reviewer_ids ?? this.kind.reviewers?.(this.ctx, this.record) ?? [];
  }

  /** Applies the collected edits. @throws the errors of the operation */
  async write(): Promise<void> {
    const edits = this.#edits;
    if (Object.keys(edits).length === 0) return;
    this.#edits = {};
    this.record = await this.kind.update(this.ctx, this.record, edits);
    Object.assign(this.changes, edits);
  }
}

/** Runs another operation on the record of a draft, then reloads the record. */
export async function runOn<R extends Drafted, P extends z.ZodRawShape, T>(
  draft: Draft<R>,
  operation: Operation<R, P, T>,
  params: Record<string, unknown>,
): Promise<T> {
  await draft.write();
  const result = await invoke(draft.ctx, operation, params, () => Promise.resolve(draft.record));
  draft.record = await draft.kind.again(draft.ctx, draft.record);
  return result;
}
