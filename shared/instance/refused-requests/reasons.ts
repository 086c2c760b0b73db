import type { RefusedRequest } from './refused-request.entity.js';

type Refused = Pick<
  RefusedRequest,
  'check' | 'caller_kind' | 'token_kind' | 'accepted_scopes' | 'ability' | 'required_role' | 'required_plan' | 'hidden'
>;

const HIDDEN = 'What the request names is there, but the caller may not see it.';
const ABSENT = 'What the request names does not exist.';
const UNSEEN = 'What the request names does not exist, or you may not see it.';
const UNSEEN_BY_CALLER = 'What the request names does not exist, or the caller may not see it.';

function unseen(hidden: boolean | null | undefined, admin: boolean): string {
  if (!admin) return UNSEEN;
  if (hidden === null || hidden === undefined) return UNSEEN_BY_CALLER;
  return hidden ? HIDDEN : ABSENT;
}

const needing = ({ required_role: role, ability }: Refused): string =>
  role ? `It needs the role ${role}${ability ? ` (${ability})` : ''}.` : `The right ${ability ?? ''} is missing.`;

const gate = ({ caller_kind: kind }: Refused): string =>
  kind === 'anonymous' ? 'The request carries no credential.' : 'Only administrators may do this.';

/**
 * Why a request was refused, in a sentence.
 * @param admin whether an administrator reads it: whether a hidden record is there is told to nobody else
 */
export function reasonOf(refused: Refused, admin: boolean): string {
  switch (refused.check) {
    case 'credential':
      return 'The credential is unknown, expired or revoked, or there is none.';
    case 'route':
      return 'There is no such route.';
    case 'principal':
      return `A token of the kind ${refused.token_kind ?? refused.caller_kind} is not taken here.`;
    case 'offering':
      return "The instance's offering does not have this operation.";
    case 'scope':
      return `The token has none of the scopes ${refused.accepted_scopes.join(', ')}.`;
    case 'gate':
      return gate(refused);
    case 'subject':
      return unseen(refused.hidden, admin);
    case 'plan':
      return `It needs the plan ${refused.required_plan ?? ''}.`;
    case 'ability':
      return needing(refused);
    default:
      return `The operation itself refused it. ${unseen(refused.hidden, admin)}`;
  }
}

/** What would help; null where only another request does. */
export function remedyOf(refused: Refused): string | null {
  switch (refused.check) {
    case 'credential':
      return 'Send a token that is neither expired nor revoked, or sign in.';
    case 'scope':
      return `Use a token with one of these scopes: ${refused.accepted_scopes.join(', ')}.`;
    case 'gate':
      return refused.caller_kind === 'anonymous' ? 'Sign in, or send a token.' : 'Ask an administrator.';
    case 'subject':
      return 'Check the id or path, and whether you are a member.';
    case 'ability':
      return refused.required_role ? `Ask an Owner for the role ${refused.required_role}.` : null;
    default:
      return null;
  }
}
