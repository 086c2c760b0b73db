import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';

/** A stored avatar of a user, group, project or topic, whose own row refers to it by `avatar`. */
export const StoredPicture = defineEntity({
  name: 'StoredPicture',
  tableName: 'pictures',
  properties: {
    id: id(),
    owner_kind: p.string(),
    owner_id: reference(),
    /** `<32 hexadecimal digits>.<extension>`. */
    name: p.string(),
    object_id: relation(StoredObject),
  },
});
export type StoredPicture = InferEntity<typeof StoredPicture>;
