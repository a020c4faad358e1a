#!/bin/sh
# Makes the secrets that compose.yaml reads, once. The folder is for its owner alone; the files in it are readable, since
# each container reads them as a user of its own.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'secrets: there already' >&2
  exit 1
fi

random() {
  od -An -tx1 -N"$1" /dev/urandom | tr -d ' \n'
}

umask 077
mkdir secrets
password=$(random 24)
access_key=GK$(random 16)
secret_key=$(random 32)
printf '%s' "$password" >secrets/database-password
printf 'postgres://carepost_owner:%s@database:5432/carepost' "$password" >secrets/database-url
printf 's3://%s:%s@carepost?endpoint=http://store:3900&region=garage&pathStyle=true' "$access_key" "$secret_key" >secrets/blob-url
printf 'GARAGE_RPC_SECRET=%s\nGARAGE_DEFAULT_ACCESS_KEY=%s\nGARAGE_DEFAULT_SECRET_KEY=%s\nGARAGE_DEFAULT_BUCKET=carepost\n' \
  "$(random 32)" "$access_key" "$secret_key" >secrets/store.env
chmod 0644 secrets/database-password secrets/database-url secrets/blob-url
