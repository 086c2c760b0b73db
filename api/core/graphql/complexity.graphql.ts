import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphqlRequest } from './request.js';

@ObjectType('QueryComplexity', { description: 'What the query costs, and what it may cost.', simpleResolvers: true })
export class QueryComplexityType {
  @Field(() => Int, { nullable: true, description: 'Cost of the whole query, this field included.' })
  score!: number;

  @Field(() => Int, { nullable: true, description: 'The most that a query of this caller may cost.' })
  limit!: number;
}

@Resolver()
export class QueryComplexityResolver {
  @Query(() => QueryComplexityType, { nullable: true, description: 'What this query costs.' })
  queryComplexity(@Ctx() { score, limit }: GraphqlRequest): QueryComplexityType {
    return { score, limit };
  }
}
