import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { WikiFile } from './wiki-formats.js';

/** What stays of a wiki page when it is moved: its id. The page itself lies in the repository of the wiki. */
export const WikiPageMeta = defineEntity({
  name: 'WikiPageMeta',
  tableName: 'wiki_page_meta',
  properties: {
    id: id(),
    /** Where the wiki is: exactly one of the two. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    /** Path of the page without its ending. */
    slug: p.string(),
    title: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type WikiPageMeta = InferEntity<typeof WikiPageMeta>;

/** A page of a wiki. */
export interface WikiPageRecord extends WikiFile {
  readonly title: string;
  readonly meta_id: number | null;
}

/** A page with its content. */
export interface WholeWikiPage extends WikiPageRecord {
  /** The source text, or HTML. */
  readonly content: string;
  readonly front_matter: Readonly<Record<string, unknown>>;
}
