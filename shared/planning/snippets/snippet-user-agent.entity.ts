import { defineEntity, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Snippet } from './snippet.entity.js';

/** With what a snippet was made. */
export const SnippetUserAgent = defineEntity({
  name: 'SnippetUserAgent',
  tableName: 'snippet_user_agents',
  properties: {
    snippet_id: relation(Snippet).primary(),
    user_agent: p.string(),
    ip_address: p.string(),
  },
});
export type SnippetUserAgent = InferEntity<typeof SnippetUserAgent>;
