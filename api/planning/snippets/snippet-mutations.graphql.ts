import { Field, ID, InputType, registerEnumType, Resolver } from 'type-graphql';
import { Invalid } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { createProjectSnippet, createSnippet } from '../../../shared/planning/snippets/create-snippet.js';
import { getSnippet } from '../../../shared/planning/snippets/snippet.operations.js';
import type { SnippetRecord } from '../../../shared/planning/snippets/snippet.entity.js';
import { deleteSnippet, updateSnippet } from '../../../shared/planning/snippets/update-snippet.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput, mutationsOf } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { VisibilityLevelsEnum } from '../../tenancy/projects/project-list.graphql.js';
import { projectOfPath } from '../../tenancy/projects/projects.graphql.js';
import { SnippetID, SnippetObject } from './snippets.graphql.js';

const SnippetBlobAction = { create: 'create', update: 'update', delete: 'delete', move: 'move' } as const;
registerEnumType(SnippetBlobAction, {
  name: 'SnippetBlobActionEnum',
  description: 'Type of action on a file of a snippet.',
  valuesConfig: {
    create: { description: 'Creates the file.' },
    update: { description: 'Updates the content of the file.' },
    delete: { description: 'Deletes the file.' },
    move: { description: 'Moves the file to another path.' },
  },
});

@InputType('SnippetBlobActionInputType', { description: 'Action on a file of a snippet.' })
class SnippetBlobActionInput {
  @Field(() => SnippetBlobAction, { description: 'Type of the action.' })
  action!: keyof typeof SnippetBlobAction;

  @Field(() => String, { description: 'Path of the file; the new path for a moved file. Can be empty for a new file.' })
  filePath!: string;

  @Field(() => String, { nullable: true, description: 'Previous path of a moved file.' })
  previousPath?: string | null;

  @Field(() => String, { nullable: true, description: 'New content of the file.' })
  content?: string | null;
}

@InputType('CreateSnippetInput', { description: 'Input to create a snippet.' })
class CreateSnippetInput extends MutationInput {
  @Field(() => String, { description: 'Title of the snippet, of at most 255 characters.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'Description of the snippet, in Markdown.' })
  description?: string | null;

  @Field(() => VisibilityLevelsEnum, { description: 'Visibility level of the snippet.' })
  visibilityLevel!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Full path of the project of the snippet; omitted for a personal snippet.',
  })
  projectPath?: string | null;

  @Field(() => [SnippetBlobActionInput], {
    nullable: true,
    description: 'Actions that create the files of the snippet: at most ten.',
  })
  blobActions?: SnippetBlobActionInput[] | null;
}

@InputType('UpdateSnippetInput', { description: 'Input to update a snippet.' })
class UpdateSnippetInput extends MutationInput {
  @Field(() => SnippetID, { description: 'Global ID of the snippet.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'Title of the snippet, of at most 255 characters.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the snippet, in Markdown.' })
  description?: string | null;

  @Field(() => VisibilityLevelsEnum, { nullable: true, description: 'Visibility level of the snippet.' })
  visibilityLevel?: string | null;

  @Field(() => [SnippetBlobActionInput], {
    nullable: true,
    description: 'Actions on the files of the snippet, in order.',
  })
  blobActions?: SnippetBlobActionInput[] | null;
}

@InputType('DestroySnippetInput', { description: 'Input to delete a snippet.' })
class DestroySnippetInput extends MutationInput {
  @Field(() => SnippetID, { description: 'Global ID of the snippet.' })
  id!: GlobalId;
}

const snippetMutation = mutationsOf({
  description: 'Payload of a mutation of a snippet.',
  fields: { snippet: { type: () => SnippetObject, description: 'Snippet after the mutation.' } },
  present: (record: SnippetRecord | null, request) => ({ snippet: SnippetObject.of(record, request) }),
  input: 'Parameters of the mutation.',
});

/** The files of a new snippet. @throws Invalid for actions on files that do not exist yet */
function getFiles({ blobActions }: CreateSnippetInput): unknown[] {
  const actions = blobActions ?? [];
  if (actions.some(({ action }) => action !== 'create')) throw new Invalid('Snippet actions have invalid data');
  return actions.map(({ filePath, content }, at) => ({
    file_path: filePath || `snippetfile${at + 1}.txt`,
    content: content ?? '',
  }));
}

function create(request: GraphqlRequest, input: CreateSnippetInput): Promise<SnippetRecord> {
  const { title, description, visibilityLevel: visibility, projectPath } = input;
  const params = withoutNulls({ title, description, visibility, files: getFiles(input) });
  return projectPath
    ? invoke(request.ctx, createProjectSnippet, params, () => projectOfPath(request, projectPath))
    : invoke(request.ctx, createSnippet, params);
}

function update({ ctx }: GraphqlRequest, input: UpdateSnippetInput): Promise<SnippetRecord> {
  const { id, title, description, visibilityLevel: visibility, blobActions } = input;
  const files = blobActions?.map(({ action, filePath, previousPath, content }) =>
    withoutNulls({ action, file_path: filePath, previous_path: previousPath, content }),
  );
  const descriptionInput = description === undefined ? {} : { description };
  return invoke(ctx, updateSnippet, { id: id.id, ...withoutNulls({ title, visibility, files }), ...descriptionInput });
}

@Resolver()
export class SnippetMutations {
  @snippetMutation(CreateSnippetInput, { description: 'Creates a project snippet or a personal snippet.' })
  createSnippet(input: CreateSnippetInput, request: GraphqlRequest): Promise<SnippetRecord> {
    return create(request, input);
  }

  @snippetMutation(UpdateSnippetInput, {
    description: 'Updates a snippet and its files.',
    unchanged: ({ id: { id } }, { ctx }) => invoke(ctx, getSnippet, { id }),
  })
  updateSnippet(input: UpdateSnippetInput, request: GraphqlRequest): Promise<SnippetRecord> {
    return update(request, input);
  }

  @snippetMutation(DestroySnippetInput, { description: 'Deletes a snippet with its files.' })
  async destroySnippet({ id: { id } }: DestroySnippetInput, { ctx }: GraphqlRequest): Promise<null> {
    await invoke(ctx, deleteSnippet, { id });
    return null;
  }
}
