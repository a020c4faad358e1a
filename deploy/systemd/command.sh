#!/bin/sh
# What `carepost` has systemd run: a command with the keys that the service manager hands over.
set -eu
export CAREPOST_DATA_DIR=/var/lib/carepost/data
export CAREPOST_MASTER_KEY_FILE="$CREDENTIALS_DIRECTORY/keys_master.key"
exec node_modules/.bin/node src/main.ts "$@"
