import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

const rules = {
  id: id(),
  commit_message_regex: p.string().nullable(),
  branch_name_regex: p.string().nullable(),
  deny_delete_tag: p.boolean(),
  member_check: p.boolean(),
  /** In MB; 0 for any size. */
  max_file_size: p.integer(),
  created_at: timestamp(),
};

/** What pushes to a project have to keep to. */
export const ProjectPushRule = defineEntity({
  name: 'ProjectPushRule',
  tableName: 'project_push_rules',
  properties: { ...rules, project_id: relation(Project) },
});

/** The same for what is made in a group. */
export const GroupPushRule = defineEntity({
  name: 'GroupPushRule',
  tableName: 'group_push_rules',
  properties: { ...rules, namespace_id: relation(Namespace) },
});

/** A push rule, whichever it belongs to. */
export type PushRule = Omit<InferEntity<typeof GroupPushRule>, 'namespace_id'>;
