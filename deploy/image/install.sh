#!/bin/sh
# install.sh PACKAGE FOLDER: installs the packed product (npm run package) with what it needs, and nothing else, into an empty folder.
# The image is made by it, and so is the folder that the tests start a server from.
set -eu
package=$(realpath "$1")
mkdir -p "$2"
cd "$2"
printf '{ "name": "installed", "private": true }\n' > package.json
npm install --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier "$package"
# What only helps those who write programs against a package: a fifth of its size.
find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
