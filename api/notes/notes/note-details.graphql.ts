import { Args, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { awardsOfNotes } from '../../../shared/notes/note-awards/awards-of-notes.js';
import { accessOfAuthors } from '../../../shared/notes/notes/access-of-authors.js';
import { LEVEL_NAMES } from '../../../shared/tenancy/members/member.rules.js';
import { PageArgs } from '../../core/graphql/connections.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { pageOfRecords } from '../../core/graphql/records.js';
import { AwardEmojiConnection, AwardEmojiObject } from '../../planning/award-emoji/award-emoji.graphql.js';
import { NoteObject } from './notes.graphql.js';

/** Details of a note in addition to its text (graphql.md section 5.5). */
@Resolver(() => NoteObject)
export class NoteDetailsResolver {
  @FieldResolver(() => AwardEmojiConnection, { nullable: true, description: 'Emoji awarded to the note.' })
  @Extensions(SHORT)
  async awardEmoji(@Root() { record, request }: NoteObject, @Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    return pageOfRecords(request, await loadField(request, awardsOfNotes, record), args, AwardEmojiObject);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Highest role of the author in the project or group of the note; null if there is none.',
  })
  async maxAccessLevelOfAuthor(@Root() { record, request }: NoteObject): Promise<string | null> {
    const level = await loadField(request, accessOfAuthors, record);
    return level === null ? null : (LEVEL_NAMES[level] ?? null);
  }
}
