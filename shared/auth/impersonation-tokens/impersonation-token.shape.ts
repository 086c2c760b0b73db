import { out, shape } from '../../core/operations/shape.js';
import type { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import {
  newPersonalAccessToken,
  personalAccessTokenShape,
} from '../personal-access-tokens/personal-access-token.shape.js';
import type { PlainToken } from '../personal-access-tokens/personal-access-token.shape.js';

const impersonation = { impersonation: out.boolean<PersonalAccessToken>((token) => token.impersonation) };

/** An impersonation token without the token itself: a personal one that says what it is. */
export const impersonationTokenShape = shape<PersonalAccessToken>('ImpersonationToken', {
  ...personalAccessTokenShape.fields,
  ...impersonation,
});

/** The only answer that holds the token itself: the one to its creation. */
export const newImpersonationToken = shape<PlainToken>('NewImpersonationToken', {
  ...newPersonalAccessToken.fields,
  ...impersonation,
});
