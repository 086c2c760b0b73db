import { BadParams, CapstanError, Invalid } from '../../core/errors.js';
import type { SignedInContext } from '../../core/context.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import type { Noteable } from '../noteables/noteable.js';
import { BadCommand } from './command-arguments.js';
import { otherCommands } from './issue-commands.js';
import { IssueDraft } from './issue-draft.js';
import { editCommands } from './issue-edit-commands.js';
import type { IssueCommand } from './issue-edit-commands.js';
import type { Command, CommandsOutcome, QuickActions } from './quick-action.js';

const COMMANDS: ReadonlyMap<string, IssueCommand> = new Map([
  ...Object.entries(editCommands),
  ...Object.entries(otherCommands),
]);

/** Commands of one comment. */
const MOST = 50;

/** Why a command was not done, in a sentence; null for what is no refusal. */
function refusalOf(error: unknown, name: string): string | null {
  const known = error instanceof BadCommand || error instanceof CapstanError;
  if (!known) return null;
  const reason =
    error instanceof BadCommand || error instanceof Invalid || error instanceof BadParams ? error.message : '';
  return `Could not apply ${name} command.${reason === '' ? '' : ` ${reason}`}`;
}

/** Does one command. @returns whether it was */
async function attempt(work: () => Promise<string> | string, name: string, done: string[], errors: string[]) {
  try {
    done.push(await work());
    return true;
  } catch (error) {
    const refusal = refusalOf(error, name);
    if (refusal === null) throw error;
    errors.push(refusal);
    return false;
  }
}

/** Commands of an issue, in their order: each is done with the caller's own rights, or says why it was not. */
async function run(ctx: SignedInContext, noteable: Noteable, commands: readonly Command[]): Promise<CommandsOutcome> {
  if (commands.length > MOST)
    throw new Invalid(`400 Bad request - Note {:note=>["has too many quick actions (maximum is ${MOST})"]}`);
  const draft = new IssueDraft(ctx, noteable.record as IssueRecord);
  const messages: string[] = [];
  const errors: string[] = [];
  for (const { name, argument } of commands)
    await attempt(() => COMMANDS.get(name)!(draft, argument), name, messages, errors);
  const written: string[] = [];
  const kept = await attempt(() => draft.write().then(() => ''), 'edit', written, errors);
  return {
    names: [...new Set(commands.map(({ name }) => name))],
    changes: draft.changes,
    messages: kept ? messages : [],
    errors,
  };
}

export const issueActions: QuickActions = { names: new Set(COMMANDS.keys()), run };
