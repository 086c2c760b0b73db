import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  parseConstValue,
  valueFromAST,
} from 'graphql';
import type { GraphQLArgument, GraphQLField, GraphQLInputField } from 'graphql';
import test from 'ava';
import { loadGraphql } from '../../api/graphql.js';
import { graphqlRows } from './graphql-rows.js';

/*
 * The lists contain graphql.md section 5, a row for each name: `Type.field(argument: Type = default): Type`, fields of
 * inputs likewise, and `Enum = VALUES`. `[T]*` is a connection, which additionally has its paging arguments. A row that
 * begins with `later` waits for its area.
 */
const rows = graphqlRows();

const { schema } = await loadGraphql();
const PAGING = ['after: String', 'before: String', 'first: Int', 'last: Int'];

type Member = GraphQLField<unknown, unknown> | GraphQLInputField;

function getMember(row: string): Member | undefined {
  const [, typeName = '', name = ''] = /^(\w+)\.(\w+)/.exec(row) ?? [];
  const type = schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields()[name] : undefined;
}

const isThere = (row: string): boolean => {
  const [, name = ''] = /^(\w+) = /.exec(row) ?? [];
  return name === '' ? getMember(row) !== undefined : schema.getType(name) !== undefined;
};

/** `Type.field` of a row, its arguments, and its type. */
function parsed(row: string) {
  const [, name = '', args = '', type = ''] = /^(\w+\.\w+)(?:\((.*)\))?: (.+)$/.exec(row) ?? [];
  const connection = /^\[(\w+)\]\*(!?)$/.exec(type);
  return {
    name,
    args: [...(args === '' ? [] : args.split(', ')), ...(connection ? PAGING : [])],
    type: connection ? `${connection[1]}Connection${connection[2]}` : type,
  };
}

/** An argument of a row and one of the schema: the same name, type with nullability, and default. */
function sameArgument(expected: string, argument: GraphQLArgument): boolean {
  const [, type = '', written] = /^\w+: ([^=]+?)(?: = (.+))?$/.exec(expected) ?? [];
  if (String(argument.type) !== type) return false;
  const value = written === undefined ? undefined : valueFromAST(parseConstValue(written), argument.type);
  return JSON.stringify(value) === JSON.stringify(argument.defaultValue);
}

function getProblems(row: string): string[] {
  const [, enumName = '', values = ''] = /^(\w+) = (.+)$/.exec(row) ?? [];
  if (enumName !== '') {
    const type = schema.getType(enumName);
    const released = isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
    return values
      .split(' ')
      .filter((value) => !released.includes(value))
      .map((value) => `${enumName} lacks ${value}`);
  }
  const { name, args, type } = parsed(row);
  const member = getMember(row);
  if (name === '' || !member) return [`${row}: is not there`];
  const problems = String(member.type) === type ? [] : [`${row}: is ${String(member.type)}`];
  const memberArgs = 'args' in member ? member.args : [];
  for (const declared of args) {
    const argument = memberArgs.find((one) => one.name === declared.split(':')[0]);
    if (!argument) problems.push(`${name} lacks the argument ${declared}`);
    else if (!sameArgument(declared, argument)) problems.push(`${name}(${declared}): is ${String(argument.type)}`);
  }
  const names = args.map((argument) => argument.split(':')[0]);
  for (const argument of memberArgs)
    if (isRequiredArgument(argument) && !names.includes(argument.name))
      problems.push(`${name} wants ${argument.name}, which the contract lacks`);
  return problems;
}

// Contract: graphql-5.names
test('the schema has every name of the contract that has landed, with its arguments, types and defaults', (t) => {
  const landed = rows.filter((row) => !row.startsWith('later '));
  t.true(landed.length > 250);
  t.deepEqual(landed.flatMap(getProblems), []);
});

// Contract: graphql-5.names
test('what is there no longer waits for a later area', (t) => {
  const waiting = rows.filter((row) => row.startsWith('later ')).map((row) => row.slice('later '.length));
  t.true(waiting.length > 0);
  t.deepEqual(waiting.filter(isThere), []);
});
