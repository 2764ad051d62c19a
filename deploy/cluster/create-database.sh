#!/bin/sh
# Run once by the postgres image when its volume is new: makes the account and the database of the nodes. The account owns its
# database and may do nothing else on the server.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
CREATE ROLE sheaf LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
CREATE DATABASE sheaf OWNER sheaf TEMPLATE template0 ENCODING 'UTF8';
REVOKE CONNECT ON DATABASE sheaf FROM PUBLIC;
SQL
