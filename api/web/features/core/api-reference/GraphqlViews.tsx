import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from '../api-docs/ApiDocs.module.css';
import { CodeText } from '../../../ui/CodeText.js';
import { Section } from '../../../ui/Page.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { aroundName, getMembers, getName, getHash } from './schema.js';
import type { Member, SchemaType, TypeRef } from './schema.js';

const KINDS: Readonly<Record<string, string>> = {
  OBJECT: 'Object',
  INTERFACE: 'Interface',
  UNION: 'Union',
  INPUT_OBJECT: 'Input',
  ENUM: 'Enum',
  SCALAR: 'Scalar',
};

/** A type by its name, which leads to it. */
function TypeLink({ type }: { type: TypeRef }) {
  const [before, after] = aroundName(type);
  const name = getName(type);
  return (
    <code>
      {before}
      <Link to={{ hash: getHash(name) }}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>
      {after}
    </code>
  );
}

function Heading({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <header className={styles.head}>
      <h2 id="entry" ref={heading} tabIndex={-1}>
        <UnbrokenText>{title}</UnbrokenText>
      </h2>
      {children}
    </header>
  );
}

/** The description and the deprecation of a member. */
function Meaning({ member: { description, isDeprecated, deprecationReason, defaultValue } }: { member: Member }) {
  return (
    <>
      {isDeprecated && (
        <>
          <strong>Deprecated:</strong> <CodeText>{deprecationReason ?? ''}</CodeText>{' '}
        </>
      )}
      {description && <CodeText>{description}</CodeText>}
      {defaultValue && (
        <>
          {' '}
          Default: <code>{defaultValue}</code>.
        </>
      )}
    </>
  );
}

function Members({ caption, members, owner }: { caption: string; members: readonly Member[]; owner?: string }) {
  const typed = members.some(({ type }) => type);
  return (
    <Table
      caption={caption}
      rows={members}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Name', cell: ({ name, args = [] }) => <MemberName {...{ name, owner, takes: args.length > 0 }} /> },
        ...(typed ? [{ title: 'Type', cell: ({ type }: Member) => type && <TypeLink type={type} /> }] : []),
        { title: 'Description', cell: (member) => <Meaning member={member} /> },
      ]}
    />
  );
}

/** Fields that take arguments have a view of their own. */
function MemberName({ name, owner, takes }: { name: string; owner: string | undefined; takes: boolean }) {
  const text = (
    <code>
      <UnbrokenText>{name}</UnbrokenText>
    </code>
  );
  return takes && owner ? <Link to={{ hash: getHash(`${owner}.${name}`) }}>{text}</Link> : text;
}

/** A type: what it is, and everything that it has. */
export function TypeView({ type }: { type: SchemaType }) {
  const { name, kind, description, interfaces, possibleTypes, enumValues } = type;
  const members = getMembers(type);
  return (
    <article className={styles.view} aria-labelledby="entry">
      <Heading title={name}>
        <p className={styles.quiet}>
          {KINDS[kind] ?? kind}. <CodeText>{description ?? ''}</CodeText>
        </p>
        <Types label="Implements" types={interfaces ?? []} />
        <Types label="Member of" types={possibleTypes ?? []} />
      </Heading>
      {members.length > 0 && (
        <Section title={enumValues ? 'Values' : 'Fields'} aside={String(members.length)}>
          <Members caption={`${enumValues ? 'Values' : 'Fields'} of ${name}`} members={members} owner={name} />
        </Section>
      )}
    </article>
  );
}

function Types({ label, types }: { label: string; types: readonly TypeRef[] }) {
  if (types.length === 0) return null;
  return (
    <p>
      {label}:{' '}
      {types.map((type, index) => (
        <span key={getName(type)}>
          {index > 0 && ', '}
          <TypeLink type={type} />
        </span>
      ))}
    </p>
  );
}

/** A field: what it answers, and its arguments. */
export function MemberView({ owner, member }: { owner: string; member: Member }) {
  const { name, type, args = [] } = member;
  return (
    <article className={styles.view} aria-labelledby="entry">
      <Heading title={name}>
        <p>
          Of{' '}
          <code>
            <Link to={{ hash: getHash(owner) }}>{owner}</Link>
          </code>
          {type && (
            <>
              , returns <TypeLink type={type} />
            </>
          )}
        </p>
        <p className={styles.quiet}>
          <Meaning member={member} />
        </p>
      </Heading>
      {args.length > 0 && (
        <Section title="Arguments" aside={String(args.length)}>
          <Members caption={`Arguments of ${name}`} members={args} />
        </Section>
      )}
    </article>
  );
}
