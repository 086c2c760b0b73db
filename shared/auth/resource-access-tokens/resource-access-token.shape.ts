import { containerOfRow } from '../../core/operations/container.js';
import { out, shape } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';
import type { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import {
  newPersonalAccessToken,
  personalAccessTokenShape,
} from '../personal-access-tokens/personal-access-token.shape.js';
import type { PlainToken } from '../personal-access-tokens/personal-access-token.shape.js';

const containerFields: Record<string, OutField<PersonalAccessToken>> = {
  access_level: out.nullableInteger((token) => token.access_level ?? null),
  resource_type: out.text((token) => containerOfRow(token)?.kind),
  resource_id: out.integer((token) => containerOfRow(token)?.id),
};

/** A token of a project or group, without the token itself (core-resources.md section 2, "Record"). */
export const resourceAccessTokenShape = shape<PersonalAccessToken>('ResourceAccessToken', {
  ...personalAccessTokenShape.fields,
  ...containerFields,
});

/** The only answers that hold the token itself: those to its creation and to a rotation. */
export const newResourceAccessToken = shape<PlainToken>('NewResourceAccessToken', {
  ...newPersonalAccessToken.fields,
  ...containerFields,
});
