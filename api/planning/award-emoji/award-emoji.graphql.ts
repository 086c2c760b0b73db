import { Field, ID, ObjectType } from 'type-graphql';
import { findEmoji } from '../../../shared/core/markdown/emoji.js';
import type { AwardRecord } from '../../../shared/planning/award-emoji/award-emoji.finder.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField, RecordObject } from '../../core/graphql/records.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';

/** An emoji reaction of a user. */
@ObjectType('AwardEmoji', { description: 'Emoji awarded by a user.' })
export class AwardEmojiObject extends RecordObject<AwardRecord> {
  @Field(() => ID, { description: 'Global ID of the award emoji.' })
  get id(): string {
    return globalId('AwardEmoji', this.record.id);
  }

  @RecordField(() => String, { description: 'Name of the emoji, without colons.' })
  declare readonly name: string;

  @Field(() => String, { description: 'Characters of the emoji.' })
  get emoji(): string {
    return findEmoji(this.record.name)?.unicode ?? '';
  }

  @Field(() => String, { description: 'Description of the emoji.' })
  get description(): string {
    return findEmoji(this.record.name)?.label ?? this.record.name;
  }

  @Field(() => UserCoreType, { description: 'User who awarded the emoji.' })
  get user(): UserCoreType | null {
    return UserCoreType.of(this.record.user, this.request);
  }

  @RecordField(() => Time, { description: 'Timestamp of when the emoji was awarded.' })
  declare readonly createdAt: Date;

  @RecordField(() => Time, { description: 'Timestamp of when the award emoji was last updated.' })
  declare readonly updatedAt: Date;
}

export const AwardEmojiConnection = connectionType(AwardEmojiObject, 'AwardEmoji');
