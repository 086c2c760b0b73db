import type { GroupRecord } from '../groups/group.record.js';
import { shape } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';
import { groupShape } from './group.shape.js';

const SHOWN = ['id', 'name', 'avatar_url', 'web_url', 'full_name', 'full_path'];

/** A group as projects name those that they belong to: less than the group's own record, and the same. */
export const projectGroupShape = shape<GroupRecord>(
  'ProjectGroup',
  Object.fromEntries(SHOWN.map((name) => [name, groupShape.fields[name] as OutField<GroupRecord>])),
);
