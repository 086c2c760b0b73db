import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { User } from '../users/user.entity.js';

/** A text that was classified as spam. */
export const SpamLog = defineEntity({
  name: 'SpamLog',
  tableName: 'spam_logs',
  properties: {
    id: id(),
    user_id: relation(User),
    /** `Issue`, `Note` or `Snippet`. */
    noteable_type: p.string(),
    title: p.string(),
    text: p.string(),
    source_ip: p.string().nullable(),
    user_agent: p.string(),
    referer: p.string(),
    via_api: p.boolean(),
    /** `conditional_allow`, `disallow` or `block`: the most severe one. */
    verdict: p.string(),
    /** Whether its author was offered a CAPTCHA, and solved it. */
    challenged: p.boolean(),
    recaptcha_verified: p.boolean(),
    /** Whether an administrator marked it as not spam. */
    submitted_as_ham: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type SpamLog = InferEntity<typeof SpamLog>;
