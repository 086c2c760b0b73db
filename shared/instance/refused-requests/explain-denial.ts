import type { RefusedRequest } from './refused-request.entity.js';

type DeniedFields = Pick<
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

const needing = ({ required_role: role, ability }: DeniedFields): string =>
  role ? `It needs the role ${role}${ability ? ` (${ability})` : ''}.` : `The right ${ability ?? ''} is missing.`;

const explainAuthentication = ({ caller_kind: kind }: DeniedFields): string =>
  kind === 'anonymous' ? 'The request carries no credential.' : 'Only administrators may do this.';

/**
 * Why a request was refused, in a sentence.
 * @param admin whether an administrator reads it: only administrators learn whether a hidden record exists
 */
export function getReason(request: DeniedFields, admin: boolean): string {
  switch (request.check) {
    case 'credential':
      return 'The credential is unknown, expired or revoked, or there is none.';
    case 'route':
      return 'There is no such route.';
    case 'principal':
      return `A token of the kind ${request.token_kind ?? request.caller_kind} is not taken here.`;
    case 'offering':
      return "The instance's offering does not have this operation.";
    case 'scope':
      return `The token has none of the scopes ${request.accepted_scopes.join(', ')}.`;
    case 'gate':
      return explainAuthentication(request);
    case 'subject':
      return unseen(request.hidden, admin);
    case 'plan':
      return `It needs the plan ${request.required_plan ?? ''}.`;
    case 'ability':
      return needing(request);
    default:
      return `The operation itself refused it. ${unseen(request.hidden, admin)}`;
  }
}

/** What would help; null where only another request does. */
export function getRemedy(request: DeniedFields): string | null {
  switch (request.check) {
    case 'credential':
      return 'Send a token that is neither expired nor revoked, or sign in.';
    case 'scope':
      return `Use a token with one of these scopes: ${request.accepted_scopes.join(', ')}.`;
    case 'gate':
      return request.caller_kind === 'anonymous' ? 'Sign in, or send a token.' : 'Ask an administrator.';
    case 'subject':
      return 'Check the id or path, and whether you are a member.';
    case 'ability':
      return request.required_role ? `Ask an Owner for the role ${request.required_role}.` : null;
    default:
      return null;
  }
}
