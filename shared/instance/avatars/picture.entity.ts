import { defineEntity, id, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A stored picture of a user, group, project or topic, whose own row names it by `avatar`. */
export const StoredPicture = defineEntity({
  name: 'StoredPicture',
  tableName: 'pictures',
  properties: {
    id: id(),
    owner_kind: p.string(),
    owner_id: reference(),
    /** `<32 hexadecimal digits>.<extension>`. */
    name: p.string(),
    object_id: reference(),
  },
});
export type StoredPicture = InferEntity<typeof StoredPicture>;
