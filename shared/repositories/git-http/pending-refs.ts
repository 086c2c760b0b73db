import { isOtherRefName, mayCreateRef } from '../../git/index.js';
import type { PushReport, RefCommand } from '../../git/index.js';
import { kindOfRef } from '../repositories/repository-ref.finder.js';
import { ABSENT, ATOMIC, NO_NAME, NAME_RESERVED, TWICE } from './push-rejections.js';

/** A ref that a push is to change, until it is known whether it does. */
export interface PendingRef extends RefCommand {
  /** The message why the ref is not updated; null unless rejected. */
  rejection: string | null;
}

/** One that is made or moved. */
export type WrittenRef = PendingRef & { new: string };

export const isWritten = (ref: PendingRef): ref is WrittenRef => ref.new !== null;
const isOpen = ({ rejection }: PendingRef): boolean => rejection === null;
export const isBranch = ({ ref }: RefCommand): boolean => ref.startsWith('refs/heads/');

/** Neither a branch nor a tag. */
export const isOther = ({ ref }: RefCommand): boolean => kindOfRef(ref) === 'other';

/** Why a command is invalid by itself, for any caller. */
function getProblem({ ref, old, new: next }: RefCommand): string | null {
  if (!/^refs\/(heads|tags)\/./.test(ref) && !isOtherRefName(ref)) return NAME_RESERVED;
  if (old === null) return next === null ? ABSENT : mayCreateRef(ref) ? null : NO_NAME;
  return null;
}

/** The refs of a push, in their order, as far as the commands alone say what becomes of them. */
export class PendingRefs {
  readonly all: readonly PendingRef[];

  /** @param atomic whether all of them land, or none */
  constructor(
    commands: readonly RefCommand[],
    private readonly atomic: boolean,
  ) {
    const counts = new Map<string, number>();
    for (const { ref } of commands) counts.set(ref, (counts.get(ref) ?? 0) + 1);
    this.all = commands.map((command) => ({
      ...command,
      rejection: getProblem(command) ?? ((counts.get(command.ref) ?? 0) > 1 ? TWICE : null),
    }));
  }

  /** Those that nothing speaks against; none where one refusal is one of all. */
  get open(): PendingRef[] {
    const open = this.all.filter(isOpen);
    return this.atomic && open.length < this.all.length ? [] : open;
  }

  /** Refuses all that nothing else speaks against. */
  rejectAll(rejection: string): void {
    for (const ref of this.all) ref.rejection ??= rejection;
  }

  /** The final report, once all refs have moved or none has. */
  report(unpack: string | null = null, messages: readonly string[] = []): PushReport {
    if (this.open.length === 0) this.rejectAll(ATOMIC);
    return { unpack, refs: this.all.map(({ ref, rejection }) => ({ ref, rejection })), messages };
  }
}
