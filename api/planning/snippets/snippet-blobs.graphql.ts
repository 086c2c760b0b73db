import { Args, ArgsType, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { escapeText } from '../../../shared/core/markdown/escape-text.js';
import { snippetBlobs } from '../../../shared/planning/snippets/snippet-content.js';
import type { SnippetBlob } from '../../../shared/planning/snippets/snippet-content.js';
import type { ListedSnippet } from '../../../shared/planning/snippets/snippet.entity.js';
import { snippetFileUrl } from '../../../shared/planning/snippets/snippet.serializer.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { ONE_OBJECT } from '../../core/graphql/guard-fields.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { RecordField } from '../../core/graphql/records.js';
import { SnippetObject } from './snippets.graphql.js';

/** A file of a snippet. */
@ObjectType('SnippetBlob', { description: 'File of a snippet.' })
class SnippetBlobObject {
  constructor(
    readonly record: SnippetBlob,
    readonly snippet: ListedSnippet,
    readonly request: GraphqlRequest,
  ) {}

  @Field(() => String, { nullable: true, description: 'Name of the file, without folders.' })
  get name(): string {
    return this.record.path.slice(this.record.path.lastIndexOf('/') + 1);
  }

  @RecordField(() => String, { nullable: true, description: 'Path of the file.' })
  declare readonly path: string;

  @Field(() => String, { description: 'Path of the raw content of the file.' })
  get rawPath(): string {
    const { ctx } = this.request;
    return snippetFileUrl(this.snippet, this.record.path, ctx).slice(ctx.config.externalUrl.length);
  }

  @RecordField(() => Int, { description: 'Size of the file in bytes.' })
  declare readonly size: number;

  @RecordField(() => Boolean, { description: 'Indicates the file is binary.' })
  declare readonly binary: boolean;

  @Field(() => Boolean, { description: 'Indicates the file is rendered as text.' })
  get renderedAsText(): boolean {
    return this.record.text !== null;
  }

  @RecordField(() => String, {
    nullable: true,
    description: 'Text of the file; null for files that are not text, and for files over 1 MiB.',
    column: 'text',
  })
  declare readonly rawPlainData: string | null;

  @Field(() => String, { nullable: true, description: 'Text of the file, as HTML.' })
  get plainData(): string | null {
    return this.record.text === null ? null : escapeText(this.record.text);
  }
}

const SnippetBlobConnection = connectionType(SnippetBlobObject, 'SnippetBlob');

@ArgsType()
class BlobsArgs extends PageArgs {
  @Field(() => [String], { nullable: true, description: 'Paths of the files to return.' })
  paths?: string[] | null;
}

@Resolver(() => SnippetObject)
export class BlobsOfSnippetResolver {
  /** Runs git for each snippet, so it is limited to one snippet per request. */
  @FieldResolver(() => SnippetBlobConnection, {
    nullable: true,
    complexity: paged,
    description: 'Files of the snippet. Available for only one snippet in a request.',
  })
  @Extensions({ ...SHORT, ...ONE_OBJECT })
  async blobs(@Root() { record, request }: SnippetObject, @Args(() => BlobsArgs) args: BlobsArgs): Promise<unknown> {
    const blobs = await snippetBlobs(request.ctx, record, args.paths);
    return connectionOfRecords(
      request,
      blobs,
      args,
      ({ path }) => path,
      (blob) => new SnippetBlobObject(blob, record, request),
    );
  }
}
