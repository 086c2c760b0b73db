import { containerOfRow } from '../../core/operations/container.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import type { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import {
  newPersonalAccessToken,
  personalAccessTokenSerializer,
} from '../personal-access-tokens/personal-access-token.serializer.js';
import type { PlainToken } from '../personal-access-tokens/personal-access-token.serializer.js';

const containerFields: Record<string, OutField<PersonalAccessToken>> = {
  access_level: out.nullableInteger((token) => token.access_level ?? null),
  resource_type: out.text((token) => containerOfRow(token)?.kind),
  resource_id: out.integer((token) => containerOfRow(token)?.id),
};

/** A token of a project or group, without the token itself (core-resources.md section 2, "Record"). */
export const resourceAccessTokenSerializer = serializer<PersonalAccessToken>('ResourceAccessToken', {
  ...personalAccessTokenSerializer.fields,
  ...containerFields,
});

/** The only answers that hold the token itself: those to its creation and to a rotation. */
export const newResourceAccessToken = serializer<PlainToken>('NewResourceAccessToken', {
  ...newPersonalAccessToken.fields,
  ...containerFields,
});
