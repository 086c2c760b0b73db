import { defineEntity, id, p, relation, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** An activity of a user in a project, or in a group itself. A separate table for each kind holds the details. */
export const ProjectEvent = defineEntity({
  name: 'ProjectEvent',
  tableName: 'events',
  properties: {
    id: id(),
    project_id: relation(Project).nullable(),
    /** The group of a wiki page; null for events in a project. */
    namespace_id: relation(Namespace).nullable(),
    author_id: relation(User),
    /** `pushed`, `created`, `closed`, `reopened`, `commented`, `updated`, `merged`, `destroyed`, `joined` or `left`. */
    action: p.string(),
    /** The target, by kind; null for a push, and for events about the project itself. */
    issue_id: reference().nullable(),
    merge_request_id: reference().nullable(),
    milestone_id: reference().nullable(),
    note_id: reference().nullable(),
    /** Of a milestone, which may be gone. */
    milestone_title: p.string().nullable(),
    /** Of a wiki page, which may be gone. */
    wiki_page_meta_id: reference().nullable(),
    wiki_page_title: p.string().nullable(),
    created_at: timestamp(),
  },
});
export type ProjectEvent = InferEntity<typeof ProjectEvent>;
