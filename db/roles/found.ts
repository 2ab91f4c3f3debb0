import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { type RoleName, roles } from './rights.ts'

/** Something that rights are given on, and who has which now. */
export type Found = {
  kind: 'DATABASE' | 'SCHEMA' | 'TABLE' | 'SEQUENCE' | 'FUNCTION'
  /** As SQL spells it. */
  name: string
  schema: string
  /** The table, or the one that a sequence numbers. */
  table: string
  /** A function that whoever calls it may call: it runs with the caller's rights, and no trigger does it. */
  isOpen: boolean
  /** False for a function of ours that looks its tables up by the caller's search_path. */
  isPinned: boolean
  /** Sorted, by role; PUBLIC as `public`. */
  granted: Record<string, string[]>
}

/** The logins that this server has. */
export async function foundRoles(db: Db): Promise<RoleName[]> {
  const names = Object.keys(roles) as RoleName[]
  const rows = await db.execute<{ name: string }>(
    sql`select rolname as name from pg_roles where rolname in ${Object.values(roles)}`,
  )
  return names.filter((name) => rows.some((row) => row.name === roles[name]))
}

/** The database and all that is in its three schemas: ours, the journal of migrations, and the queue's. */
export async function foundObjects(db: Db): Promise<Found[]> {
  const rows = await db.execute<Found>(sql`
    with spaces as (select * from pg_namespace where nspname in ('public', 'drizzle', 'bullmq')),
    things as (
      select 'pg_database'::regclass as class, oid as id, 'DATABASE' as kind, quote_ident(datname) as name,
        '' as schema, '' as "table", false as open, true as pinned,
        coalesce(datacl, acldefault('d', datdba)) as acl, datdba as owner
      from pg_database where datname = current_database()
      union all
      select 'pg_namespace'::regclass, oid, 'SCHEMA', quote_ident(nspname), nspname, '', false, true,
        coalesce(nspacl, acldefault('n', nspowner)), nspowner
      from spaces
      union all
      select 'pg_class'::regclass, c.oid, case relkind when 'S' then 'SEQUENCE' else 'TABLE' end,
        c.oid::regclass::text, nspname,
        coalesce((select numbered.relname from pg_depend d join pg_class numbered on numbered.oid = d.refobjid
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass
            and d.deptype in ('a', 'i') and c.relkind = 'S'), c.relname),
        false, true, coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)), relowner
      from pg_class c join spaces s on s.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      union all
      select 'pg_proc'::regclass, p.oid, 'FUNCTION', p.oid::regprocedure::text, nspname, '',
        not prosecdef and prorettype <> 'trigger'::regtype,
        exists (select from unnest(proconfig) one where one like 'search_path=%'),
        coalesce(proacl, acldefault('f', proowner)), proowner
      from pg_proc p join spaces s on s.oid = pronamespace
      where nspname = 'public' and prokind = 'f'
    )
    select kind, name, schema, "table", open as "isOpen", pinned as "isPinned", coalesce((
      select jsonb_object_agg(role, rights) from (
        select case grantee when 0 then 'public' else pg_get_userbyid(grantee) end as role,
          jsonb_agg(distinct privilege_type order by privilege_type) as rights
        from (
          select grantee, privilege_type from aclexplode(acl)
          union all
          -- Rights on single columns: none of ours, and taken with all others.
          select grantee, 'COLUMN' from pg_attribute, aclexplode(attacl)
          where class = 'pg_class'::regclass and attrelid = id and attacl is not null
        ) each where grantee <> owner group by grantee
      ) held), '{}') as granted
    from things
    -- What belongs to somebody else, and to an extension, is not ours to give.
    where pg_has_role(current_user, owner, 'usage') and not exists (
      select from pg_depend where classid = class and objid = id and deptype = 'e')`)
  return [...rows]
}
