import type { SignedInContext } from '../../core/context/context.js';
import type { Noteable } from '../noteables/noteable.js';

/** A line of a comment that is a command: `/label ~bug`. */
export interface Command {
  /** Lower case: `label`. */
  readonly name: string;
  /** What follows, without blanks around it. */
  readonly argument: string;
}

/** The outcome of a comment's commands. */
export interface CommandsOutcome {
  /** Names of those that were there. */
  readonly names: readonly string[];
  /** The requested changes, as parameters of the operations behind the commands. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** A sentence for each that was done. */
  readonly messages: readonly string[];
  /** A sentence for each that was not. */
  readonly errors: readonly string[];
}

/** The commands of a kind of noteables. */
export interface QuickActions {
  /** Those that are understood; all else is text. */
  readonly names: ReadonlySet<string>;
  /**
   * Runs commands in order with their operations' permissions. `expectedSha`: the merge request head the author saw.
   */
  run(
    ctx: SignedInContext,
    noteable: Noteable,
    commands: readonly Command[],
    expectedSha?: string,
  ): Promise<CommandsOutcome>;
}
