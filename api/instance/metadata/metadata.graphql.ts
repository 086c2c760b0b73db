import {
  Arg,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { presentOne } from '../../../shared/core/operations/serializer.js';
import { metadataSerializer } from '../../../shared/instance/metadata/metadata.serializer.js';
import { getMetadata } from '../../../shared/instance/metadata/metadata.operations.js';
import { lookup } from '../../core/graphql/costs.js';
import { MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';

@ObjectType('Kas', { description: 'The agent server for clusters.', simpleResolvers: true })
class KasType {
  @Field(() => Boolean, { description: 'Whether there is one.' })
  enabled!: boolean;

  @Field(() => String, { nullable: true, description: 'Where agents reach it.' })
  externalUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Where clients of a cluster reach it.' })
  externalK8sProxyUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Its version.' })
  version!: string | null;
}

@ObjectType('Metadata', { description: 'What this instance runs.', simpleResolvers: true })
export class MetadataType {
  @Field(() => String, { description: 'Version of the API.' })
  version!: string;

  @Field(() => String, { description: 'Revision of the code.' })
  revision!: string;

  @Field(() => KasType, { description: 'The agent server for clusters.' })
  kas!: KasType;

  @Field(() => Boolean, { description: 'Whether every edition of the API is served.' })
  enterprise!: boolean;
}

@ObjectType('MetadataFeatureFlag', { description: 'A switch of a part of the service.', simpleResolvers: true })
class FeatureFlagType {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it is on.' })
  enabled!: boolean;
}

/** Names of flags that may be asked for at once, as of all lists of names. */
const FLAGS = { most: 100 } as const;

@Resolver(() => MetadataType)
export class FeatureFlagsOfMetadataResolver {
  /** A flag that is not known is off, as in the public API; this service has none that could be on (operations.md section 3). */
  @Extensions(FLAGS)
  @FieldResolver(() => [FeatureFlagType], { description: 'Whether flags are on. The service has none: all are off.' })
  featureFlags(
    @Arg('names', () => [String], { description: 'Their names, at most 100.' }) names: string[],
  ): FeatureFlagType[] {
    return names.map((name) => ({ name, enabled: false }));
  }
}

@InputType('EchoCreateInput', { description: 'What to send back.' })
class EchoCreateInput extends MutationInput {
  @Field(() => [String], { nullable: true, description: 'Messages to send back.' })
  messages?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Errors to send back.' })
  errors?: string[] | null;
}

@ObjectType('EchoCreatePayload', { description: 'What was sent.', simpleResolvers: true })
class EchoCreatePayload extends MutationPayload {
  @Field(() => [String], { nullable: true, description: 'The messages of the input.' })
  echoes?: string[] | null;
}

@Resolver()
export class MetadataResolver {
  @Query(() => MetadataType, {
    nullable: true,
    complexity: lookup,
    description: 'What this instance runs; null without signing in.',
  })
  async metadata(@Ctx() { ctx }: GraphqlRequest): Promise<MetadataType> {
    return (await presentOne(ctx, metadataSerializer, await invoke(ctx, getMetadata, {}))) as MetadataType;
  }

  @Query(() => String, { complexity: lookup, description: 'Says who asks and what was said, to try a client.' })
  echo(
    @Arg('text', () => String, { description: 'What to say.' }) text: string,
    @Ctx() { ctx }: GraphqlRequest,
  ): string {
    return `${ctx.caller.user ? JSON.stringify(ctx.caller.user.username) : 'nil'} says: ${text}`;
  }

  @Mutation(() => EchoCreatePayload, {
    nullable: true,
    description: 'Sends messages and errors back, to try a client.',
  })
  echoCreate(
    @Arg('input', () => EchoCreateInput, { description: 'What to send back.' }) input: EchoCreateInput,
  ): EchoCreatePayload {
    return {
      clientMutationId: input.clientMutationId ?? null,
      errors: input.errors ?? [],
      echoes: input.messages ?? null,
    };
  }
}
