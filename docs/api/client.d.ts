// What sheaf/client exports. Written by npm run docs; a change here is a change for everybody who uses it.
export interface CallOptions {
    idempotencyKey?: string | undefined;
    reason?: string | undefined;
    signal?: AbortSignal | undefined;
}
export interface Client {
    readonly account: {
        readonly get_me: (input: Record<string, never>, options?: CallOptions) => Promise<{
            user_id: string;
            name: string;
            role: "owner" | "member";
            client_id: string;
            scopes: {
                modules: string[];
                access: "read" | "write";
            };
            profile?: {
                display_name: string;
                language: string;
                time_zone: string;
                picture: string;
            };
        }>;
        readonly create_key: (input: {
            name: string;
            modules?: ("wiki" | "note" | "sheet" | "manage" | "account" | "sharing" | "inbox")[] | undefined;
            access?: "read" | "write" | undefined;
            expire_time?: number | undefined;
            user_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            key: {
                key_id: string;
                client_id: string;
                name: string;
                modules: string[];
                access: "read" | "write";
                create_time: number;
                expire_time: number;
                last_used_time: number;
                revoked: boolean;
            };
            api_key: string;
        }>;
        readonly list_keys: (input: {
            user_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            keys: {
                key_id: string;
                client_id: string;
                name: string;
                modules: string[];
                access: "read" | "write";
                create_time: number;
                expire_time: number;
                last_used_time: number;
                revoked: boolean;
            }[];
        }>;
        readonly revoke_key: (input: {
            key_id: string;
            user_id?: string | undefined;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly list_connections: (input: Record<string, never>, options?: CallOptions) => Promise<{
            apps: {
                connection_id: string;
                client_id: string;
                name: string;
                host: string;
                scopes: string[];
                resource: string;
                create_time: number;
                last_used_time: number;
            }[];
            identities: {
                connection_id: string;
                issuer: string;
                name: string;
                create_time: number;
            }[];
        }>;
        readonly revoke_connection: (input: {
            connection_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly set_password: (input: {
            password: string;
            old_password?: string | undefined;
            user_id?: string | undefined;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly get_profile: (input: Record<string, never>, options?: CallOptions) => Promise<{
            display_name: string;
            language: string;
            time_zone: string;
            picture: string;
            needs_old_password: boolean;
        }>;
        readonly update_profile: (input: {
            display_name?: string | undefined;
            language?: "" | "en" | "zh" | undefined;
            time_zone?: string | undefined;
            picture?: string | undefined;
        }, options?: CallOptions) => Promise<{
            display_name: string;
            language: string;
            time_zone: string;
            picture: string;
        }>;
        readonly list_sessions: (input: Record<string, never>, options?: CallOptions) => Promise<{
            sessions: {
                session_id: string;
                create_time: number;
                expire_time: number;
                device: string;
                current: boolean;
            }[];
        }>;
        readonly end_session: (input: {
            session_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly create_sign_in_link: (input: {
            user_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            sign_in_path: string;
        }>;
        readonly list_audit: (input: {
            user_id?: string | undefined;
            operation?: string | undefined;
            module?: string | undefined;
            by?: "people" | "apps" | undefined;
            since?: number | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            rows: {
                at: number;
                user_id: string;
                key_id: string;
                operation: string;
                target: string;
                request_id: string;
                reason?: string;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly list_changes: (input: {
            since?: string | undefined;
            before?: string | undefined;
            kinds?: ("note" | "notebook" | "item" | "folder" | "base" | "sheet")[] | undefined;
            in?: string | undefined;
            tags?: string[] | undefined;
            by?: "me" | "app" | "others" | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            changes: {
                kind: "note" | "notebook" | "item" | "folder" | "base" | "sheet";
                id: string;
                title: string;
                url: string;
                in?: string;
                deleted?: boolean;
                operation: string;
                count: number;
                by: string;
                user_id: string;
                reason?: string;
                time: string;
                at: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly create_webhook: (input: {
            url: string;
            knowledge_base_id?: string | undefined;
            notebook_id?: string | undefined;
            file_id?: string | undefined;
            inbox?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            webhook: {
                webhook_id: string;
                kind: "knowledge_base" | "notebook" | "document" | "inbox";
                subject_id: string;
                url: string;
                state: "active" | "paused" | "ended";
                reason: string;
                create_time: number;
            };
            secret: string;
        }>;
        readonly list_webhooks: (input: Record<string, never>, options?: CallOptions) => Promise<{
            webhooks: {
                webhook_id: string;
                kind: "knowledge_base" | "notebook" | "document" | "inbox";
                subject_id: string;
                url: string;
                state: "active" | "paused" | "ended";
                reason: string;
                create_time: number;
            }[];
        }>;
        readonly update_webhook: (input: {
            webhook_id: string;
            url?: string | undefined;
            active?: boolean | undefined;
            new_secret?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            webhook: {
                webhook_id: string;
                kind: "knowledge_base" | "notebook" | "document" | "inbox";
                subject_id: string;
                url: string;
                state: "active" | "paused" | "ended";
                reason: string;
                create_time: number;
            };
            secret?: string;
        }>;
        readonly delete_webhook: (input: {
            webhook_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly test_webhook: (input: {
            webhook_id: string;
        }, options?: CallOptions) => Promise<{
            delivery_id: string;
        }>;
        readonly list_deliveries: (input: {
            webhook_id: string;
        }, options?: CallOptions) => Promise<{
            deliveries: {
                delivery_id: string;
                type: "changes" | "test";
                state: "waiting" | "delivered" | "failed" | "dropped";
                attempts: number;
                status: number;
                reason: string;
                event_count: number;
                create_time: number;
                update_time: number;
            }[];
        }>;
        readonly create_user: (input: {
            name: string;
            password?: string | undefined;
        }, options?: CallOptions) => Promise<{
            user: {
                user_id: string;
                name: string;
                role: "owner" | "member";
                state: "active" | "suspended" | "deleted";
                create_time: number;
            };
            sign_in_path: string;
        }>;
        readonly list_users: (input: Record<string, never>, options?: CallOptions) => Promise<{
            users: {
                user_id: string;
                name: string;
                role: "owner" | "member";
                state: "active" | "suspended" | "deleted";
                create_time: number;
                display_name: string;
                stored_bytes: number;
                quota_bytes: number;
                last_seen_time: number;
            }[];
        }>;
        readonly update_user: (input: {
            user_id: string;
            role?: "owner" | "member" | undefined;
            quota_bytes?: number | undefined;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly get_setup: (input: Record<string, never>, options?: CallOptions) => Promise<{
            parts: {
                part: "ocr" | "transcription" | "meaning" | "dictionary" | "sign_on" | "public_url" | "shared_database";
                is_set_up: boolean;
            }[];
            user_count: number;
            default_quota_bytes: number;
        }>;
        readonly suspend_user: (input: {
            user_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly resume_user: (input: {
            user_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly delete_user: (input: {
            user_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly create_group: (input: {
            name: string;
            claim?: string | undefined;
        }, options?: CallOptions) => Promise<{
            group: {
                group_id: string;
                name: string;
                member_count: number;
                claim: string;
                create_time: number;
            };
        }>;
        readonly delete_group: (input: {
            group_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly list_groups: (input: Record<string, never>, options?: CallOptions) => Promise<{
            groups: {
                group_id: string;
                name: string;
                member_count: number;
                claim: string;
                create_time: number;
                is_member: boolean;
            }[];
        }>;
        readonly list_group_members: (input: {
            group_id: string;
        }, options?: CallOptions) => Promise<{
            members: {
                user_id: string;
                name: string;
                add_time: number;
            }[];
        }>;
        readonly add_group_members: (input: {
            group_id: string;
            user_ids: string[];
        }, options?: CallOptions) => Promise<{
            changed: number;
        }>;
        readonly remove_group_members: (input: {
            group_id: string;
            user_ids: string[];
        }, options?: CallOptions) => Promise<{
            changed: number;
        }>;
    };
    readonly note: {
        readonly search_note: (input: {
            search_type?: 0 | 1 | undefined;
            sort_type?: 0 | 1 | 2 | 3 | undefined;
            query_info?: {
                title?: string | undefined;
                content?: string | undefined;
            } | undefined;
            start: number;
            end: number;
        }, options?: CallOptions) => Promise<{
            search_note_infos: {
                note_book_info: {
                    note_id: string;
                    doc_id: string;
                    title: string;
                    summary: string;
                    create_time: number;
                    modify_time: number;
                    cover_image: string;
                    note_ext_info: {
                        folder_id: string;
                        folder_name: string;
                    };
                    size: number;
                    version: number;
                };
                highlightInfo: Record<string, string>;
                match?: "all" | "some";
            }[];
            is_end: boolean;
            total_hit_num: number;
            index_behind?: boolean;
        }>;
        readonly list_note: (input: {
            folder_id?: string | undefined;
            sort_type?: 0 | 1 | 2 | 3 | undefined;
            cursor: string;
            limit: number;
        }, options?: CallOptions) => Promise<{
            note_book_list: {
                note_id: string;
                doc_id: string;
                title: string;
                summary: string;
                create_time: number;
                modify_time: number;
                cover_image: string;
                note_ext_info: {
                    folder_id: string;
                    folder_name: string;
                };
                size: number;
                version: number;
            }[];
            is_end: boolean;
            next_cursor: string;
        }>;
        readonly get_doc_content: (input: {
            note_id: string;
            doc_id?: string | undefined;
            target_content_format: 0 | 1 | 2;
        }, options?: CallOptions) => Promise<{
            content: string;
            note_id: string;
            doc_id: string;
        }>;
        readonly import_doc: (input: {
            content_format: 1;
            content: string;
            folder_id?: string | undefined;
            folder_name?: string | undefined;
            title?: string | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
        }>;
        readonly append_doc: (input: {
            note_id: string;
            doc_id?: string | undefined;
            content_format: 1;
            content: string;
            base_version?: number | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
        }>;
        readonly list_notebook: (input: {
            cursor: string;
            limit: number;
            version?: string | undefined;
        }, options?: CallOptions) => Promise<{
            note_folder_infos: {
                folder_id: string;
                name: string;
                create_time: number;
                modify_time: number;
                note_number: number;
                parent_folder_id: string;
                folder_type: 0 | 1 | 2;
            }[];
            next_cursor: string;
            is_end: boolean;
            next_version: string;
            need_update: boolean;
        }>;
        readonly browse_notes: (input: {
            folder_id?: string | undefined;
            tag?: string | undefined;
            sort_type?: 0 | 1 | 2 | 3 | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            notes: {
                note_id: string;
                doc_id: string;
                title: string;
                summary: string;
                create_time: number;
                modify_time: number;
                cover_image: string;
                note_ext_info: {
                    folder_id: string;
                    folder_name: string;
                };
                size: number;
                version: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly read_note: (input: {
            note_id?: string | undefined;
            doc_id?: string | undefined;
            note_ids?: string[] | undefined;
            heading?: string | undefined;
            from_line?: number | undefined;
            to_line?: number | undefined;
            start?: number | undefined;
            max_tokens?: number | undefined;
            outline?: boolean | undefined;
            tags?: boolean | undefined;
            version?: number | undefined;
        }, options?: CallOptions) => Promise<{
            notes: {
                note_id: string;
                title: string;
                version: number;
                content: string;
                from_line: number;
                to_line: number;
                total_lines: number;
                total_tokens: number;
                next_start?: number;
                outline?: {
                    line: number;
                    level: number;
                    text: string;
                }[];
                tags?: {
                    tag: string;
                    in_text: boolean;
                }[];
            }[];
        }>;
        readonly edit_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            edits: {
                old?: string | undefined;
                new: string;
                count?: number | undefined;
                under?: string | undefined;
                after?: string | undefined;
                at_end?: boolean | undefined;
                replace_section?: string | undefined;
            }[];
            base_version?: number | undefined;
            dry_run?: boolean | undefined;
            suggest?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            version: number;
            changes: {
                line: number;
                text: string;
            }[];
            suggestion_id?: string;
        }>;
        readonly replace_in_notes: (input: {
            folder_id?: string | undefined;
            note_ids?: string[] | undefined;
            old: string;
            new: string;
            ignore_case?: boolean | undefined;
            whole_word?: boolean | undefined;
            dry_run?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            change_id: string;
            total: number;
            note_number: number;
            searched: number;
            notes: {
                note_id: string;
                title: string;
                count: number;
                version: number;
                changes: {
                    line: number;
                    text: string;
                }[];
            }[];
        }>;
        readonly undo_note_change: (input: {
            change_id: string;
        }, options?: CallOptions) => Promise<{
            change_id: string;
            notes: {
                note_id: string;
                title: string;
                version: number;
            }[];
        }>;
        readonly diff_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            from_version?: number | undefined;
            to_version?: number | undefined;
            max_tokens?: number | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            from_version: number;
            to_version: number;
            diff: string;
            is_cut: boolean;
        }>;
        readonly list_tasks: (input: {
            state?: "open" | "done" | "all" | undefined;
            due_from?: string | undefined;
            due_before?: string | undefined;
            note_id?: string | undefined;
            doc_id?: string | undefined;
            folder_id?: string | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            tasks: {
                note_id: string;
                title: string;
                line: number;
                text: string;
                done: boolean;
                due?: string;
            }[];
            total: number;
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly set_task: (input: {
            note_id: string;
            doc_id?: string | undefined;
            line?: number | undefined;
            text?: string | undefined;
            done?: boolean | undefined;
            due?: string | undefined;
            base_version?: number | undefined;
            dry_run?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            version: number;
            changes: {
                line: number;
                text: string;
            }[];
        }>;
        readonly list_links: (input: {
            note_id?: string | undefined;
            doc_id?: string | undefined;
            folder_id?: string | undefined;
            broken?: boolean | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            links: {
                note_id: string;
                note_title: string;
                line: number;
                title: string;
                heading?: string;
                occurrences: number;
                kind?: "note" | "item" | "sheet";
                target_id?: string;
                target_title?: string;
                knowledge_base_id?: string;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly backlinks: (input: {
            id: string;
            note_id?: string | undefined;
            doc_id?: string | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            links: {
                note_id: string;
                title: string;
                line: number;
                sentence: string;
                heading?: string;
                occurrences: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly tag_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            add?: string[] | undefined;
            remove?: string[] | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            tags: {
                tag: string;
                in_text: boolean;
            }[];
        }>;
        readonly comment_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            comment_id?: string | undefined;
            quote?: string | undefined;
            before?: string | undefined;
            after?: string | undefined;
            line?: number | undefined;
            text?: string | undefined;
            entry_id?: string | undefined;
            resolved?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            comment_id: string;
            entry_id?: string;
            mentioned: {
                user_id: string;
                name: string;
            }[];
            not_mentioned: string[];
        }>;
        readonly delete_note_comment: (input: {
            note_id: string;
            doc_id?: string | undefined;
            comment_id: string;
            entry_id: string;
        }, options?: CallOptions) => Promise<{
            deleted: boolean;
        }>;
        readonly list_note_comments: (input: {
            note_id: string;
            doc_id?: string | undefined;
            include_resolved?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            version: number;
            role: "read" | "comment" | "write" | "own";
            comments: {
                comment_id: string;
                quote: string;
                before: string;
                after: string;
                position: number;
                heading: string;
                place: "found" | "changed" | "gone" | "note";
                line?: number;
                resolved: boolean;
                entries: {
                    entry_id: string;
                    author: {
                        user_id: string;
                        name: string;
                    };
                    time: number;
                    edited: boolean;
                    text: string;
                    may_edit: boolean;
                    may_delete: boolean;
                }[];
            }[];
        }>;
        readonly rename_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            title: string;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            links_changed?: number;
            links_unchanged?: number;
            unchanged_notes?: {
                note_id: string;
                title: string;
                author_name: string;
            }[];
            change_id?: string;
        }>;
        readonly update_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            content_format?: 1 | undefined;
            content: string;
            base_version?: number | undefined;
            title?: string | undefined;
            suggest?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            version: number;
            suggestion_id?: string;
        }>;
        readonly delete_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
        }>;
        readonly restore_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            note: {
                note_id: string;
                doc_id: string;
                title: string;
                summary: string;
                create_time: number;
                modify_time: number;
                cover_image: string;
                note_ext_info: {
                    folder_id: string;
                    folder_name: string;
                };
                size: number;
                version: number;
            };
        }>;
        readonly list_deleted_notes: (input: {
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            notes: {
                note_id: string;
                doc_id: string;
                title: string;
                summary: string;
                create_time: number;
                modify_time: number;
                cover_image: string;
                note_ext_info: {
                    folder_id: string;
                    folder_name: string;
                };
                size: number;
                version: number;
                delete_time: number;
                purge_time: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly move_notes: (input: {
            note_ids: string[];
            folder_id: string;
        }, options?: CallOptions) => Promise<{
            moved: number;
        }>;
        readonly add_notebook: (input: {
            name: string;
            parent_folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            folder: {
                folder_id: string;
                name: string;
                create_time: number;
                modify_time: number;
                note_number: number;
                parent_folder_id: string;
                folder_type: 0 | 1 | 2;
            };
        }>;
        readonly rename_notebook: (input: {
            folder_id: string;
            name: string;
            parent_folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            folder: {
                folder_id: string;
                name: string;
                create_time: number;
                modify_time: number;
                note_number: number;
                parent_folder_id: string;
                folder_type: 0 | 1 | 2;
            };
        }>;
        readonly delete_notebook: (input: {
            folder_id: string;
            notes?: "keep" | "delete" | undefined;
        }, options?: CallOptions) => Promise<{
            note_number: number;
        }>;
        readonly sync_note: (input: {
            note_id: string;
            doc_id?: string | undefined;
            client: number;
            room_id?: string | undefined;
            state_vector?: string | undefined;
            update?: string | undefined;
            cursor?: string | undefined;
            leave?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            room_id: string;
            update: string;
            version: number;
            people: {
                client: number;
                user_id: string;
                name: string;
                cursor: string;
            }[];
        }>;
        readonly list_suggestions: (input: {
            note_id: string;
            doc_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            suggestions: {
                suggestion_id: string;
                user_id: string;
                user_name: string;
                key_id: string;
                create_time: number;
                base_version: number;
                edits: {
                    number: number;
                    line: number;
                    position: number;
                    old: string;
                    new: string;
                    state: "open" | "accepted" | "rejected";
                    stale: boolean;
                }[];
            }[];
        }>;
        readonly decide_suggestion: (input: {
            note_id: string;
            doc_id?: string | undefined;
            suggestion_id: string;
            accept?: boolean | undefined;
            undo?: boolean | undefined;
            numbers?: number[] | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            version: number;
        }>;
        readonly export_note: (input: {
            note_id?: string | undefined;
            doc_id?: string | undefined;
            format?: "markdown" | "text" | "json" | "zip" | undefined;
            version?: number | undefined;
            cursor?: string | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            title: string;
            file_name: string;
            content_type: string;
            encoding: "utf8" | "base64";
            content: string;
            version: number;
            role?: "read" | "comment" | "write" | "own";
            author_name?: string;
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly get_note_history: (input: {
            note_id: string;
            doc_id?: string | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            version: number;
            open_suggestions: number;
            versions: {
                version: number;
                time: number;
                title: string;
                size: number;
                operation: string;
                user_id: string;
                user_name: string;
                key_id: string;
                reason?: string;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly restore_note_version: (input: {
            note_id: string;
            doc_id?: string | undefined;
            version: number;
        }, options?: CallOptions) => Promise<{
            note_id: string;
            doc_id: string;
            version: number;
        }>;
        readonly remember: (input: {
            text: string;
            about?: string | undefined;
        }, options?: CallOptions) => Promise<{
            memory_id: string;
        }>;
        readonly recall: (input: {
            question?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            memories: {
                memory_id: string;
                text: string;
                about?: string;
                time: string;
                create_time: number;
            }[];
        }>;
        readonly list_memories: (input: {
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            memories: {
                memory_id: string;
                text: string;
                about?: string;
                time: string;
                create_time: number;
                app: string;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly forget: (input: {
            memory_ids?: string[] | undefined;
            all?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            erased: number;
        }>;
        readonly search_note_book: (input: {
            search_type?: 0 | 1 | undefined;
            sort_type?: 0 | 1 | 2 | 3 | undefined;
            query_info?: {
                title?: string | undefined;
                content?: string | undefined;
            } | undefined;
            start: number;
            end: number;
            query_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            docs: {
                doc: {
                    basic_info: {
                        docid: string;
                        title: string;
                        summary: string;
                        create_time: number;
                        modify_time: number;
                        status: number;
                        folder_id: string;
                        folder_name: string;
                        summary_style: Record<string, string>;
                    };
                };
                highlight_info: {
                    doc_title: string;
                };
            }[];
            is_end: boolean;
            total_hit_num: number;
            index_behind?: boolean;
        }>;
        readonly list_note_folder_by_cursor: (input: {
            cursor: string;
            limit: number;
        }, options?: CallOptions) => Promise<{
            note_book_folders: {
                folder: {
                    basic_info: {
                        folder_id: string;
                        name: string;
                        status: number;
                        create_time: number;
                        modify_time: number;
                        note_number: number;
                        folder_type: number;
                    };
                };
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly list_note_by_folder_id: (input: {
            folder_id?: string | undefined;
            cursor: string;
            limit: number;
        }, options?: CallOptions) => Promise<{
            note_book_list: {
                basic_info: {
                    basic_info: {
                        docid: string;
                        title: string;
                        summary: string;
                        create_time: number;
                        modify_time: number;
                        status: number;
                        folder_id: string;
                        folder_name: string;
                        summary_style: Record<string, string>;
                    };
                };
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
    };
    readonly wiki: {
        readonly create_media: (input: {
            file_name: string;
            file_size: number;
            content_type: string;
            knowledge_base_id: string;
            file_ext: string;
        }, options?: CallOptions) => Promise<{
            media_id: string;
            cos_credential: {
                token: string;
                secret_id: string;
                secret_key: string;
                start_time: number;
                expired_time: number;
                appid: string;
                bucket_name: string;
                region: string;
                custom_domain: string;
                cos_key: string;
            };
        }>;
        readonly add_knowledge: (input: {
            media_type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 9 | 11 | 12 | 13 | 14 | 15 | 16 | 20;
            media_id?: string | undefined;
            title: string;
            knowledge_base_id: string;
            folder_id?: string | undefined;
            note_info?: {
                content_id: string;
            } | undefined;
            web_info?: {
                content_id: string;
            } | undefined;
            session_info?: {
                content_id: string;
            } | undefined;
            file_info?: {
                cos_key: string;
                file_size: number;
                last_modify_time?: number | undefined;
                password?: string | undefined;
                file_name: string;
            } | undefined;
            duplicate_name_strategy?: "keep_both" | "replace" | "reject" | undefined;
        }, options?: CallOptions) => Promise<{
            media_id: string;
        }>;
        readonly get_knowledge_base: (input: {
            ids: string[];
        }, options?: CallOptions) => Promise<{
            infos: Record<string, {
                id: string;
                name: string;
                cover_url: string;
                description: string;
                recommended_questions: string[];
                role_type: "owner" | "editor" | "viewer";
                content_count: number;
                member_count: number;
                search_by_meaning?: boolean;
            }>;
        }>;
        readonly get_knowledge_list: (input: {
            cursor: string;
            limit: number;
            knowledge_base_id: string;
            folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            knowledge_list: {
                media_id?: string;
                title: string;
                parent_folder_id: string;
                media_type: number;
                create_time: number;
                update_time: number;
                file_size?: number;
                state?: "queued" | "parsing" | "ready" | "failed";
                reason?: string;
                tags?: string[];
                folder_id?: string;
                name?: string;
                file_number?: number;
                folder_number?: number;
                is_top?: boolean;
                folder_info?: {
                    folder_id: string;
                    name: string;
                    file_number: number;
                    folder_number: number;
                    parent_folder_id: string;
                    is_top: boolean;
                };
            }[];
            is_end: boolean;
            next_cursor: string;
            current_path: {
                folder_id: string;
                name: string;
                file_number: number;
                folder_number: number;
                parent_folder_id: string;
                is_top: boolean;
            }[];
        }>;
        readonly search_knowledge: (input: {
            query: string;
            cursor: string;
            knowledge_base_id: string;
            prefix?: boolean | undefined;
            mode?: "keyword" | "meaning" | "both" | undefined;
        }, options?: CallOptions) => Promise<{
            info_list: {
                media_id: string;
                title: string;
                parent_folder_id: string;
                media_type: number;
                match: "all" | "some" | "meaning";
                highlight_content?: string;
            }[];
            is_end: boolean;
            next_cursor: string;
            total: number;
            index_behind?: boolean;
            keyword_only?: boolean;
        }>;
        readonly search_knowledge_base: (input: {
            query: string;
            cursor: string;
            limit: number;
        }, options?: CallOptions) => Promise<{
            info_list: {
                id: string;
                name: string;
                cover_url: string;
                kb_id: string;
                kb_name: string;
                description: string;
                content_count: number;
                member_count: number;
                role_type: "owner" | "editor" | "viewer";
            }[];
            is_end: boolean;
            next_cursor: string;
        }>;
        readonly get_addable_knowledge_base_list: (input: {
            cursor: string;
            limit: number;
        }, options?: CallOptions) => Promise<{
            addable_knowledge_base_list: {
                id: string;
                name: string;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly check_repeated_names: (input: {
            params: {
                name: string;
                media_type: 1 | 3 | 4 | 5 | 7 | 9 | 13 | 14 | 15 | 20;
            }[];
            knowledge_base_id: string;
            folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            results: {
                name: string;
                is_repeated: boolean;
            }[];
        }>;
        readonly import_urls: (input: {
            knowledge_base_id: string;
            folder_id: string;
            urls: string[];
        }, options?: CallOptions) => Promise<{
            results: Record<string, {
                url: string;
                ret_code: number;
                media_id?: string;
                msg?: string;
            }>;
        }>;
        readonly get_media_info: (input: {
            media_id: string;
        }, options?: CallOptions) => Promise<{
            media_type: number;
            url_info?: {
                url: string;
                headers: Record<string, string>;
            };
            notebook_ext_info?: {
                notebook_id: string;
            };
        }>;
        readonly create_knowledge_base: (input: {
            name: string;
            description?: string | undefined;
            cover_url?: string | undefined;
            recommended_questions?: string[] | undefined;
        }, options?: CallOptions) => Promise<{
            knowledge_base_id: string;
        }>;
        readonly update_knowledge_base: (input: {
            name?: string | undefined;
            description?: string | undefined;
            cover_url?: string | undefined;
            recommended_questions?: string[] | undefined;
            knowledge_base_id: string;
            search_by_meaning?: boolean | undefined;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly delete_knowledge_base: (input: {
            knowledge_base_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly create_folder: (input: {
            knowledge_base_id: string;
            name: string;
            parent_folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            folder_id: string;
        }>;
        readonly upload_knowledge: (input: {
            knowledge_base_id: string;
            folder_id?: string | undefined;
            file_name: string;
            text?: string | undefined;
            content?: string | undefined;
            file_id?: string | undefined;
            keep_fresh?: boolean | undefined;
            file_key?: string | undefined;
            content_type?: string | undefined;
            title?: string | undefined;
            password?: string | undefined;
            duplicate_name_strategy?: "keep_both" | "replace" | "reject" | undefined;
        }, options?: CallOptions) => Promise<{
            media_id: string;
            media_type: number;
            content_type: string;
            url: string;
            already_here_as?: {
                media_id: string;
                title: string;
                knowledge_base_id: string;
            }[];
        }>;
        readonly get_knowledge_content: (input: {
            media_id: string;
            max_tokens?: number | undefined;
            at?: number | undefined;
            marks?: boolean | undefined;
            cursor?: string | undefined;
        }, options?: CallOptions) => Promise<{
            media_id: string;
            media_type: number;
            content_type?: string;
            title: string;
            state: "queued" | "parsing" | "ready" | "failed";
            reason?: string;
            file_id?: string;
            content: string;
            start: number;
            tokens: number;
            total_tokens: number;
            meta: Record<string, unknown>;
            is_end: boolean;
            next_cursor: string;
        }>;
        readonly get_knowledge_state: (input: {
            media_ids: string[];
            wait_seconds?: number | undefined;
        }, options?: CallOptions) => Promise<{
            states: {
                media_id: string;
                title: string;
                media_type: number;
                content_type?: string;
                knowledge_base_id: string;
                state: "queued" | "parsing" | "ready" | "failed";
                reason: string;
            }[];
            is_done: boolean;
        }>;
        readonly find_duplicates: (input: {
            knowledge_base_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            duplicates: {
                sha256: string;
                files: {
                    media_id: string;
                    title: string;
                    knowledge_base_id: string;
                }[];
            }[];
            is_cut?: boolean;
        }>;
        readonly view_workbook: (input: {
            media_id: string;
            sheet_name?: string | undefined;
            max_rows?: number | undefined;
        }, options?: CallOptions) => Promise<{
            media_id: string;
            title: string;
            format: "xlsx" | "xls" | "csv";
            sheets: {
                sheet_id: string;
                sheet_name: string;
                tab_color?: string;
                used_rows: number;
                used_cols: number;
                shown_rows: number;
                shown_cols: number;
                is_cut: boolean;
                view: Record<string, unknown>;
                charts: {
                    drawing_id: string;
                    chart_type: string;
                    title: string;
                    location: Record<string, number>;
                    content: string;
                }[];
                images: {
                    object_id: string;
                    name: string;
                    location: Record<string, number>;
                    url: string;
                    content_type: string;
                }[];
                kept: Record<string, unknown>;
            }[];
        }>;
        readonly search_all: (input: {
            query: string;
            cursor?: string | undefined;
            limit?: number | undefined;
            prefix?: boolean | undefined;
            mode?: "keyword" | "meaning" | "both" | undefined;
            passages?: boolean | undefined;
            max_tokens?: number | undefined;
            kinds?: ("knowledge" | "folder" | "note" | "sheet")[] | undefined;
            knowledge_base_id?: string | undefined;
            author_id?: string | undefined;
            changed_from?: number | undefined;
            changed_before?: number | undefined;
            tags?: string[] | undefined;
        }, options?: CallOptions) => Promise<{
            info_list: {
                kind: "knowledge" | "folder" | "note" | "sheet";
                id: string;
                title: string;
                highlight_content?: string;
                update_time: number;
                match: "all" | "some" | "meaning";
                passages?: {
                    text: string;
                    headings: string[];
                    page?: string;
                    range?: string;
                    cell?: string;
                    start: number;
                    end: number;
                    score: number;
                }[];
                container_id?: string;
                container_name?: string;
                author_id?: string;
                author_name?: string;
            }[];
            totals: Record<string, number>;
            is_end: boolean;
            next_cursor: string;
            index_behind?: boolean;
            keyword_only?: boolean;
            corrected?: Record<string, string>;
        }>;
        readonly search_passages: (input: {
            query: string;
            limit?: number | undefined;
            mode?: "keyword" | "meaning" | "both" | undefined;
            max_tokens?: number | undefined;
            kinds?: ("knowledge" | "folder" | "note" | "sheet")[] | undefined;
            knowledge_base_id?: string | undefined;
            author_id?: string | undefined;
            changed_from?: number | undefined;
            changed_before?: number | undefined;
            tags?: string[] | undefined;
            folder_id?: string | undefined;
            media_types?: number[] | undefined;
        }, options?: CallOptions) => Promise<{
            documents: {
                kind: "knowledge" | "note" | "sheet";
                id: string;
                title: string;
                match: "all" | "some" | "meaning";
                container_id?: string;
                link: string;
            }[];
            passages: {
                document: number;
                text: string;
                headings?: string[];
                page?: string;
                range?: string;
                cell?: string;
                start?: number;
                score: number;
            }[];
            total: number;
            index_behind?: boolean;
            keyword_only?: boolean;
            corrected?: Record<string, string>;
        }>;
        readonly rename_knowledge: (input: {
            media_id: string;
            title: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly move_knowledge: (input: {
            knowledge_base_id: string;
            media_ids: string[];
            target_knowledge_base_id?: string | undefined;
            target_folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            moved: number;
        }>;
        readonly copy_knowledge: (input: {
            knowledge_base_id: string;
            media_ids: string[];
            target_knowledge_base_id?: string | undefined;
            target_folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            media_ids: Record<string, string>;
        }>;
        readonly delete_knowledge: (input: {
            knowledge_base_id: string;
            media_ids: string[];
        }, options?: CallOptions) => Promise<{
            deleted: number;
        }>;
        readonly restore_knowledge: (input: {
            knowledge_base_id: string;
            media_ids: string[];
        }, options?: CallOptions) => Promise<{
            restored: number;
        }>;
        readonly list_deleted: (input: {
            knowledge_base_id: string;
            cursor: string;
            limit: number;
        }, options?: CallOptions) => Promise<{
            knowledge_list: {
                media_id?: string;
                title: string;
                parent_folder_id: string;
                media_type: number;
                create_time: number;
                update_time: number;
                file_size?: number;
                state?: "queued" | "parsing" | "ready" | "failed";
                reason?: string;
                tags?: string[];
                folder_id?: string;
                name?: string;
                file_number?: number;
                folder_number?: number;
                is_top?: boolean;
                folder_info?: {
                    folder_id: string;
                    name: string;
                    file_number: number;
                    folder_number: number;
                    parent_folder_id: string;
                    is_top: boolean;
                };
                delete_time: number;
                expire_time: number;
            }[];
            is_end: boolean;
            next_cursor: string;
        }>;
        readonly set_knowledge_top: (input: {
            knowledge_base_id: string;
            folder_id: string;
            is_top: boolean;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly replace_knowledge: (input: {
            media_id: string;
            new_media_id?: string | undefined;
            file_key?: string | undefined;
            file_id?: string | undefined;
            file_name?: string | undefined;
            password?: string | undefined;
        }, options?: CallOptions) => Promise<{
            media_id: string;
        }>;
        readonly retry_knowledge: (input: {
            media_id: string;
            password?: string | undefined;
        }, options?: CallOptions) => Promise<{
            media_id: string;
            state: "queued" | "parsing" | "ready" | "failed";
        }>;
        readonly add_tag: (input: {
            media_id: string;
            tags: string[];
        }, options?: CallOptions) => Promise<{
            media_id: string;
            tags: string[];
        }>;
        readonly remove_tag: (input: {
            media_id: string;
            tags: string[];
        }, options?: CallOptions) => Promise<{
            media_id: string;
            tags: string[];
        }>;
        readonly list_tags: (input: {
            tag?: string | undefined;
            kinds?: ("knowledge" | "note" | "sheet")[] | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            tags: {
                tag: string;
                items: number;
                notes: number;
                sheets: number;
            }[];
            entries?: {
                kind: "knowledge" | "note" | "sheet";
                id: string;
                title: string;
                update_time: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly list_members: (input: {
            knowledge_base_id: string;
        }, options?: CallOptions) => Promise<{
            members: {
                user_id: string;
                name: string;
                role: "owner" | "editor" | "viewer";
                add_time: number;
            }[];
        }>;
        readonly set_member: (input: {
            knowledge_base_id: string;
            user_id?: string | undefined;
            user_name?: string | undefined;
            role: "owner" | "editor" | "viewer";
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly remove_member: (input: {
            knowledge_base_id: string;
            user_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly export_knowledge_base: (input: {
            knowledge_base_id: string;
        }, options?: CallOptions) => Promise<{
            url: string;
            item_number: number;
            expired_time: number;
        }>;
        readonly create_session: (input: {
            title: string;
            messages?: {
                role: "user" | "assistant" | "system" | "tool";
                content: string;
            }[] | undefined;
        }, options?: CallOptions) => Promise<{
            session_id: string;
        }>;
        readonly append_session: (input: {
            session_id: string;
            messages: {
                role: "user" | "assistant" | "system" | "tool";
                content: string;
            }[];
        }, options?: CallOptions) => Promise<{
            session_id: string;
            title: string;
            message_number: number;
            create_time: number;
            update_time: number;
        }>;
        readonly get_session: (input: {
            session_id: string;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            session_id: string;
            title: string;
            message_number: number;
            create_time: number;
            update_time: number;
            messages: {
                role: "user" | "assistant" | "system" | "tool";
                content: string;
                create_time: number;
            }[];
            is_end: boolean;
            next_cursor: string;
        }>;
        readonly delete_session: (input: {
            session_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
    };
    readonly sheet: {
        readonly set_cell_value: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            cell?: {
                row: number;
                col: number;
                value_type: "STRING" | "NUMBER" | "BOOL" | "FORMULA";
                number_value?: number | undefined;
                string_value?: string | undefined;
                bool_value?: boolean | undefined;
                formula?: string | undefined;
            } | undefined;
            row?: number | undefined;
            col?: number | undefined;
            value_type?: "STRING" | "NUMBER" | "BOOL" | "FORMULA" | undefined;
            number_value?: number | undefined;
            string_value?: string | undefined;
            bool_value?: boolean | undefined;
            formula?: string | undefined;
            range?: string | undefined;
            enforce_validation?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_range_value: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            enforce_validation?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            values: {
                row: number;
                col: number;
                value_type: "STRING" | "NUMBER" | "BOOL" | "FORMULA";
                number_value?: number | undefined;
                string_value?: string | undefined;
                bool_value?: boolean | undefined;
                formula?: string | undefined;
            }[];
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_range_value_by_csv: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row?: number | undefined;
            start_col?: number | undefined;
            csv_data: string;
            enforce_validation?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_cell_data: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            return_csv?: boolean | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            cells?: {
                row: number;
                col: number;
                value_type: "NUMBER" | "STRING" | "BOOL" | "FORMULA" | "ERROR" | "TIME_STRING" | "RICH_STRING";
                number_value?: number;
                string_value?: string;
                bool_value?: boolean;
                formula?: string;
                link_id?: string;
            }[];
            csv_data?: string;
        }>;
        readonly clear_range_cells: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly clear_range_style: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly clear_range_all: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_cell_style: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            is_clear?: boolean | undefined;
            format?: {
                bold?: boolean | undefined;
                italic?: boolean | undefined;
                font_family?: string | undefined;
                font_size?: number | undefined;
                font_color?: string | undefined;
                bg_color?: string | undefined;
                horizontal_align?: "" | "general" | "left" | "center" | "right" | "fill" | "justify" | undefined;
                vertical_align?: "" | "top" | "center" | "bottom" | "justify" | undefined;
                wrap_text?: boolean | undefined;
                strike_through?: boolean | undefined;
                underline?: "" | "none" | "single" | "double" | "single_accounting" | "double_accounting" | undefined;
                number_format_pattern?: string | undefined;
                background_color?: string | undefined;
                number_format?: string | undefined;
            } | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_cell_style: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            cells: {
                row: number;
                col: number;
                background_color: string;
                font_color: string;
                font_size: number;
                font_family: string;
                number_format: string;
            }[];
        }>;
        readonly set_border: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            border_positions: (0 | 1 | 2 | 3 | 4 | 5)[];
            border_style?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | undefined;
            border_color?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly clear_border: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            border_positions?: (0 | 1 | 2 | 3 | 4 | 5)[] | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly merge_cell: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            merge_type?: "all" | "columns" | "rows" | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly unmerge_cell: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_merged_cells: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            merged_cells: string[];
        }>;
        readonly insert_dimension: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            dimension_type: "row" | "col";
            index: number;
            count: number;
            direction?: "before" | "after" | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_dimension: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            dimension_type: "row" | "col";
            index: number;
            count: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly move_dimension: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            dimension_type: "row" | "col";
            index: number;
            count: number;
            to: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_dimension_size: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            dimensions: {
                dimension_type: "row" | "col";
                index?: number | undefined;
                start_index?: number | undefined;
                end_index?: number | undefined;
                size?: number | undefined;
                is_clear?: boolean | undefined;
                range?: string | undefined;
            }[];
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly insert_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            dimension_type: "row" | "col";
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            dimension_type: "row" | "col";
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_freeze: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            row_count: number;
            col_count: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly unset_freeze: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_filter: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            filter_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly remove_filter: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            filter_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly update_filter: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            filter_id?: string | undefined;
            is_update_range?: boolean | undefined;
            start_row?: number | undefined;
            start_col?: number | undefined;
            end_row?: number | undefined;
            end_col?: number | undefined;
            columns?: {
                col: number;
                visible_values: string[];
            }[] | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly sort_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            has_header?: boolean | undefined;
            columns: {
                col: number;
                order?: 0 | 1 | undefined;
            }[];
            table_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_link: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            row: number;
            col: number;
            url: string;
            display_text?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly clear_link: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            row: number;
            col: number;
            link_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly insert_image: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            row_index: number;
            col_index: number;
            content?: string | undefined;
            image_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly find: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            search_term: string;
            sheet_name?: string | undefined;
            sheet_id?: string | undefined;
            start_row?: number | undefined;
            start_col?: number | undefined;
            end_row?: number | undefined;
            end_col?: number | undefined;
            offset?: number | undefined;
            match_case?: boolean | undefined;
            match_entire_cell?: boolean | undefined;
            use_regex?: boolean | undefined;
            match_formulas?: boolean | undefined;
            max_results?: number | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            total_results: number;
            results: {
                sheet_id: string;
                row: number;
                col: number;
                address: string;
            }[];
            overflow: boolean;
            next_offset: number;
        }>;
        readonly get_sheet_info: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
        }, options?: CallOptions) => Promise<{
            sheets: {
                sheet_id: string;
                sheet_name: string;
                sheet_type: "worksheet" | "smartsheet" | "smartcanvas";
                row_count: number;
                col_count: number;
            }[];
        }>;
        readonly add_sheet: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            name?: string | undefined;
            index?: number | undefined;
            append_index?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            sheet_id: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_sheet: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly rename_sheet: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            name: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly move_sheet: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            src_index: number;
            dest_index: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_sheet_object_list: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            object_types?: ("chart" | "pivot_table" | "table" | "float_image")[] | undefined;
            filter_by_range?: boolean | undefined;
            start_row?: number | undefined;
            start_col?: number | undefined;
            end_row?: number | undefined;
            end_col?: number | undefined;
            name_pattern?: string | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            objects: {
                object_id: string;
                object_type: "chart" | "pivot_table" | "table" | "float_image" | "unknown";
                name: string;
                display_range: string;
                data_range: string;
                chart_type?: number;
                pivot_row_group_count?: number;
                pivot_column_group_count?: number;
                pivot_value_count?: number;
                table_has_header?: boolean;
                table_column_count?: number;
                float_image_width?: number;
                float_image_height?: number;
            }[];
        }>;
        readonly validate_file_data: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            version?: number | undefined;
            is_latest?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            is_valid: boolean;
            checked_version: number;
            ret_code: number;
            stage: "" | "RebuildWorkbook.workbook_cmds" | "RebuildWorkbook.revisions" | "RebuildSheet"
                | "RebuildSheetWithTrim" | "ApplyNewRevisions";
            failed_mutation_type: number;
            err_msg: string;
        }>;
        readonly add_chart: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            chart_type: "CHART_AREA" | "CHART_AREA_3D" | "CHART_STACKED_AREA" | "CHART_PERCENT_STACKED_AREA"
                | "CHART_LINE" | "CHART_LINE_3D" | "CHART_STACKED_LINE" | "CHART_HIGH_LOW_CLOSE_STOCK"
                | "CHART_RADAR" | "CHART_SCATTER" | "CHART_PIE" | "CHART_CLUSTERED_BAR" | "CHART_CLUSTERED_COLUMN"
                | "CHART_BUBBLE" | "CHART_CUSTOM_COMBO" | "CHART_REGION_MAP" | "CHART_TREEMAP" | "CHART_DOUGHNUT"
                | "CHART_STACKED_COLUMN" | "CHART_PERCENT_STACKED_COLUMN" | "CHART_STACKED_BAR"
                | "CHART_PERCENT_STACKED_BAR";
            data_range: {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            };
            drawing_id: string;
            location?: {
                row_index: number;
                col_index: number;
                horizontal_offset?: number | undefined;
                vertical_offset?: number | undefined;
                width?: number | undefined;
                height?: number | undefined;
            } | undefined;
            use_column_as_series?: boolean | undefined;
            first_row_as_header?: boolean | undefined;
            first_column_as_category?: boolean | undefined;
            title?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_chart: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            drawing_id: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_charts: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
        }, options?: CallOptions) => Promise<{
            charts: {
                drawing_id: string;
                chart_type: "CHART_AREA" | "CHART_AREA_3D" | "CHART_STACKED_AREA" | "CHART_PERCENT_STACKED_AREA"
                    | "CHART_LINE" | "CHART_LINE_3D" | "CHART_STACKED_LINE" | "CHART_HIGH_LOW_CLOSE_STOCK"
                    | "CHART_RADAR" | "CHART_SCATTER" | "CHART_PIE" | "CHART_CLUSTERED_BAR"
                    | "CHART_CLUSTERED_COLUMN" | "CHART_BUBBLE" | "CHART_CUSTOM_COMBO" | "CHART_REGION_MAP"
                    | "CHART_TREEMAP" | "CHART_DOUGHNUT" | "CHART_STACKED_COLUMN" | "CHART_PERCENT_STACKED_COLUMN"
                    | "CHART_STACKED_BAR" | "CHART_PERCENT_STACKED_BAR";
                title: string;
                location: {
                    row_index: number;
                    col_index: number;
                    horizontal_offset?: number;
                    vertical_offset?: number;
                    width?: number;
                    height?: number;
                };
                data_range?: {
                    start_row: number;
                    start_col: number;
                    end_row: number;
                    end_col: number;
                };
                options_json: string;
            }[];
        }>;
        readonly update_chart: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            drawing_id: string;
            chart_type?: "CHART_AREA" | "CHART_AREA_3D" | "CHART_STACKED_AREA" | "CHART_PERCENT_STACKED_AREA"
                | "CHART_LINE" | "CHART_LINE_3D" | "CHART_STACKED_LINE" | "CHART_HIGH_LOW_CLOSE_STOCK"
                | "CHART_RADAR" | "CHART_SCATTER" | "CHART_PIE" | "CHART_CLUSTERED_BAR" | "CHART_CLUSTERED_COLUMN"
                | "CHART_BUBBLE" | "CHART_CUSTOM_COMBO" | "CHART_REGION_MAP" | "CHART_TREEMAP" | "CHART_DOUGHNUT"
                | "CHART_STACKED_COLUMN" | "CHART_PERCENT_STACKED_COLUMN" | "CHART_STACKED_BAR"
                | "CHART_PERCENT_STACKED_BAR" | undefined;
            location?: {
                row_index: number;
                col_index: number;
                horizontal_offset?: number | undefined;
                vertical_offset?: number | undefined;
                width?: number | undefined;
                height?: number | undefined;
            } | undefined;
            data_range?: {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            } | undefined;
            title?: string | undefined;
            options_json?: string | undefined;
            bool_options?: {
                use_column_as_series?: {
                    value: boolean;
                } | undefined;
                first_row_as_header?: {
                    value: boolean;
                } | undefined;
                first_column_as_category?: {
                    value: boolean;
                } | undefined;
            } | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly add_pivot_table: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            pivot_table_id: string;
            name?: string | undefined;
            source_sheet_id: string;
            source_range: {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            };
            anchor_sheet_id?: string | undefined;
            anchor_row?: number | undefined;
            anchor_col?: number | undefined;
            create_new_sheet?: boolean | undefined;
            new_sheet_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly remove_pivot_table: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            pivot_table_id: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_pivot_table_detail: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            pivot_table_id?: string | undefined;
            pivot_table_name?: string | undefined;
        }, options?: CallOptions) => Promise<{
            pivot_table: {
                pivot_table_id: string;
                pivot_table_name: string;
                anchor_sheet_id: string;
                anchor_row: number;
                anchor_col: number;
                row_group_columns: number[];
                column_group_columns: number[];
                source_sheet_id: string;
                source_data_range: {
                    sheet_id: string;
                    start_row_index: number;
                    start_col_index: number;
                    end_row_index: number;
                    end_col_index: number;
                };
                pivot_values: {
                    source_data_column: number;
                    summarize_function: "SUM" | "COUNT" | "AVERAGE" | "MAX" | "MIN" | "PRODUCT" | "COUNTNUMS"
                        | "STDEV" | "STDEVP" | "VAR" | "VARP";
                }[];
                filters: {
                    source_data_column: number;
                    visible_values: string[];
                }[];
                calculated_values: {
                    name: string;
                    formula: string;
                }[];
            };
        }>;
        readonly update_pivot_table: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            pivot_table_id: string;
            row_groups?: {
                source_data_column: number;
            }[] | undefined;
            column_groups?: {
                source_data_column: number;
            }[] | undefined;
            pivot_values?: {
                source_data_column: number;
                summarize_function: string;
            }[] | undefined;
            filters?: {
                source_data_column: number;
                visible_values?: string[] | undefined;
            }[] | undefined;
            calculated_values?: {
                name: string;
                formula: string;
            }[] | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly add_protect_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            range?: {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            } | undefined;
            whole_sheet?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            protect_range_id: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly update_protect_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            protect_range_id: string;
            range: {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            };
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_protect_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            protect_range_id: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_protect_ranges: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
        }, options?: CallOptions) => Promise<{
            ranges: {
                protect_range_id: string;
                range: {
                    start_row: number;
                    start_col: number;
                    end_row: number;
                    end_col: number;
                };
            }[];
        }>;
        readonly read: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
            show?: ("formulas" | "formats" | "merges" | "styles" | "exact")[] | undefined;
            locale?: string | undefined;
            max_tokens?: number | undefined;
        }, options?: CallOptions) => Promise<{
            range: string;
            rows: Record<string, (string | number | boolean)[]>;
            formulas?: Record<string, string>;
            formats?: Record<string, string>;
            merges?: string[];
            styles?: Record<string, string>;
            sizes?: Record<string, number>;
            frozen?: string;
            next?: string;
            more?: {
                range: string;
                rows: Record<string, (string | number | boolean)[]>;
                formulas?: Record<string, string>;
                formats?: Record<string, string>;
                merges?: string[];
                styles?: Record<string, string>;
                sizes?: Record<string, number>;
                frozen?: string;
                next?: string;
            }[];
            other_sheets?: string[];
        }>;
        readonly write: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
            rows?: ((string | number | boolean | null)[])[] | Record<string, (string | number | boolean | null)[]>
                | undefined;
            query?: string | undefined;
            formulas?: Record<string, string> | undefined;
            formats?: Record<string, string> | undefined;
            styles?: Record<string, string> | undefined;
            sizes?: Record<string, number> | undefined;
            merges?: string[] | undefined;
            locale?: string | undefined;
            next?: string | undefined;
            frozen?: string | undefined;
            other_sheets?: string[] | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            written: number;
            unchanged: number;
            notes?: string[];
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly check: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            assertions?: string[] | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            ok: boolean;
            failed: Record<string, string>;
            errors: Record<string, string>;
            error_count: number;
        }>;
        readonly query: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            query: string;
            sheet_id?: string | undefined;
            offset?: number | undefined;
            max_tokens?: number | undefined;
        }, options?: CallOptions) => Promise<{
            columns: string[];
            rows: ((string | number | boolean)[])[];
            row_count: number;
            next_offset?: number;
        }>;
        readonly inspect: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            max_tokens?: number | undefined;
        }, options?: CallOptions) => Promise<{
            sheets: {
                sheet: string;
                sheet_id: string;
                used: string;
                tables: {
                    range: string;
                    header_row?: number;
                    columns: string[];
                }[];
                cells?: Record<string, string>;
                errors?: Record<string, string>;
                error_count?: number;
                merges?: string;
                hidden?: string;
                frozen?: string;
                reads?: string[];
                arrays?: string;
                has?: string;
            }[];
            names?: string[];
            truncated?: boolean;
        }>;
        readonly trace: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range: string;
            sheet_id?: string | undefined;
            direction?: "precedents" | "dependents" | "both" | undefined;
            levels?: number | undefined;
            max_tokens?: number | undefined;
        }, options?: CallOptions) => Promise<{
            cell: string;
            precedents?: string[][];
            dependents?: string[][];
            truncated?: boolean;
        }>;
        readonly edit_rows: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
            where?: string | undefined;
            action: "find" | "delete" | "move" | "mark" | "sort";
            set?: Record<string, string | number | boolean> | undefined;
            color?: string | undefined;
            to?: string | undefined;
            sort_by?: {
                column: string;
                descending?: boolean | undefined;
            }[] | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            matched: number;
            rows?: Record<string, (string | number | boolean)[]>;
            notes?: string[];
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly batch: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            calls: {
                tool: string;
                arguments: Record<string, unknown>;
            }[];
            enforce_validation?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            results: Record<string, unknown>[];
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_used_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
        }, options?: CallOptions) => Promise<{
            is_empty: boolean;
            start_row?: number;
            start_col?: number;
            end_row?: number;
            end_col?: number;
            range: string;
        }>;
        readonly get_view: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            layout?: boolean | undefined;
            shown_only?: boolean | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            version: number;
            cells: [number, number, string, number, ...string[]][];
            styles: [number, number, number, number][];
            looks: (Record<string, string | number | boolean>)[];
            merges: [number, number, number, number][];
            links: [number, number, string][];
            colours?: [number, number, string][];
            rich?: {
                row: number;
                col: number;
                pieces: {
                    text: string;
                    style?: Record<string, string | number | boolean>;
                }[];
            }[];
            formats?: {
                row: number;
                col: number;
                style?: Record<string, string | number | boolean>;
                bar?: {
                    share: number;
                    color: string;
                };
                icon?: {
                    set: string;
                    index: number;
                };
                hide_value?: boolean;
            }[];
            tables?: {
                region: [number, number, number, number];
                heads: number;
                feet: number;
                marks: ("row_stripes" | "column_stripes" | "first_column" | "last_column")[];
                whole?: Record<string, string | number | boolean>;
                outline?: {
                    line: string;
                    is_open?: boolean;
                };
                stripe?: Record<string, string | number | boolean>;
                header?: Record<string, string | number | boolean>;
                totals?: Record<string, string | number | boolean>;
                ends?: Record<string, string | number | boolean>;
            }[];
            layout?: {
                rows: number;
                cols: number;
                frozen_rows: number;
                frozen_cols: number;
                row_sizes: [number, number, number][];
                col_sizes: [number, number, number][];
                hidden_rows: [number, number][];
                hidden_cols: [number, number][];
                used: string;
            };
            filtered_rows?: [number, number][];
        }>;
        readonly append_rows: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
            rows: ((string | number | boolean | null)[])[];
            start_col?: number | undefined;
            end_col?: number | undefined;
            enforce_validation?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            start_row: number;
            row_count: number;
            range?: string;
            notes?: string[];
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly replace: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            search_term?: string | undefined;
            replacement?: string | undefined;
            replacements?: {
                search_term: string;
                replacement: string;
            }[] | undefined;
            range?: string | undefined;
            sheet_name?: string | undefined;
            sheet_id?: string | undefined;
            start_row?: number | undefined;
            start_col?: number | undefined;
            end_row?: number | undefined;
            end_col?: number | undefined;
            match_case?: boolean | undefined;
            match_entire_cell?: boolean | undefined;
            use_regex?: boolean | undefined;
            match_formulas?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            replaced_count: number;
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly copy_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            source: string | {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            };
            target: string | {
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
            };
            target_sheet_id?: string | undefined;
            what?: "all" | "values" | "formats" | undefined;
            transpose?: boolean | undefined;
            series?: boolean | undefined;
            move?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly copy_sheet: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            name?: string | undefined;
            index?: number | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            sheet_id: string;
            sheet_name: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly enter_cells: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            rows: ((string | null)[])[];
            enforce_validation?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_dimension_visible: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
            dimension_type?: "row" | "col" | undefined;
            index?: number | undefined;
            count?: number | undefined;
            visible?: boolean | undefined;
            outline_level?: number | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly render_chart: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            drawing_id: string;
            format?: "svg" | "png" | "data" | undefined;
            width?: number | undefined;
            height?: number | undefined;
        }, options?: CallOptions) => Promise<{
            content_type: string;
            content: string;
            width: number;
            height: number;
        }>;
        readonly render_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            sheet_id?: string | undefined;
            format?: "png" | "svg" | undefined;
        }, options?: CallOptions) => Promise<{
            content_type: string;
            content: string;
            width: number;
            height: number;
        }>;
        readonly get_filters: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            filter_id?: string | undefined;
            col?: number | undefined;
        }, options?: CallOptions) => Promise<{
            filters: {
                filter_id: string;
                start_row: number;
                start_col: number;
                end_row: number;
                end_col: number;
                columns: {
                    col: number;
                    visible_values: string[];
                }[];
                hidden_row_count: number;
            }[];
            values?: {
                text: string;
                count: number;
                visible: boolean;
            }[];
            truncated?: boolean;
        }>;
        readonly get_images: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
        }, options?: CallOptions) => Promise<{
            images: {
                object_id: string;
                name: string;
                location: {
                    row_index: number;
                    col_index: number;
                    horizontal_offset?: number;
                    vertical_offset?: number;
                    width?: number;
                    height?: number;
                };
                url: string;
                content_type: string;
            }[];
            expired_time: number;
        }>;
        readonly get_kept_objects: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            shown_only?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            objects: {
                kind: "control" | "embedded" | "shape" | "group" | "diagram" | "chart" | "picture" | "ink";
                name: string;
                text: string;
                location: {
                    row_index: number;
                    col_index: number;
                    horizontal_offset?: number;
                    vertical_offset?: number;
                    width?: number;
                    height?: number;
                };
            }[];
            pictures: string[];
            cells: {
                row_index: number;
                col_index: number;
                text: string;
                picture?: number;
            }[];
        }>;
        readonly update_image: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            object_id: string;
            range?: string | undefined;
            location?: {
                row_index?: number | undefined;
                col_index?: number | undefined;
                horizontal_offset?: number | undefined;
                vertical_offset?: number | undefined;
                width?: number | undefined;
                height?: number | undefined;
            } | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_image: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            object_id: string;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly get_history: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            range?: string | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
            cells?: number | undefined;
        }, options?: CallOptions) => Promise<{
            revisions: {
                version: number;
                user_id: string;
                user_name: string;
                key_id: string;
                at: number;
                time: string;
                tool: string;
                range?: string;
                reason?: string;
                reverted_to?: number;
                cells?: {
                    sheet_id: string;
                    address: string;
                    before: string;
                    after: string;
                }[];
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly revert: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            version: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            undone: {
                version: number;
                tool: string;
                range?: string;
            }[];
            undone_count: number;
            notes?: string[];
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly undo_revision: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            version: number;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            undone: {
                version: number;
                tool: string;
                range?: string;
            };
            changed?: Record<string, string>;
            more_changed?: boolean;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly describe_sheet: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            max_tokens?: number | undefined;
        }, options?: CallOptions) => Promise<{
            sheets: {
                sheet_id: string;
                sheet_name: string;
                used_range: string;
                frozen_rows: number;
                frozen_cols: number;
                charts: number;
                pivot_tables: number;
                filters: number;
                images: number;
                regions: {
                    range: string;
                    row_count: number;
                    col_count: number;
                    has_header: boolean;
                    has_totals?: boolean;
                    columns: {
                        col: number;
                        letter: string;
                        header?: string;
                        type: "number" | "date" | "text" | "boolean" | "error" | "mixed" | "empty";
                        formula?: string;
                        samples?: string[];
                    }[];
                }[];
            }[];
            truncated: boolean;
        }>;
        readonly list_functions: (input: {
            search?: string | undefined;
        }, options?: CallOptions) => Promise<{
            functions: {
                name: string;
                family: string;
                arguments: string;
            }[];
        }>;
        readonly summarize_range: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            start_row: number;
            start_col: number;
            end_row: number;
            end_col: number;
            visible_only?: boolean | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            filled_count: number;
            number_count: number;
            sum: number;
            average?: number;
            min?: number;
            max?: number;
        }>;
        readonly find_edge: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            row: number;
            col: number;
            direction: "up" | "down" | "left" | "right";
            shown_only?: boolean | undefined;
            range?: string | undefined;
        }, options?: CallOptions) => Promise<{
            row: number;
            col: number;
        }>;
        readonly set_name: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            name: string;
            refers_to: string;
            sheet_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_conditional_format: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            format_id?: string | undefined;
            ranges: string[];
            kind: "cell" | "text" | "date" | "top" | "average" | "duplicate" | "unique" | "blank" | "not_blank"
                | "error" | "not_error" | "formula" | "scale" | "bar" | "icons";
            test?: "between" | "not_between" | "equal" | "not_equal" | "greater" | "less" | "greater_or_equal"
                | "less_or_equal" | "contains" | "not_contains" | "begins_with" | "ends_with" | undefined;
            values?: string[] | undefined;
            period?: "yesterday" | "today" | "tomorrow" | "last_7_days" | "last_week" | "this_week" | "next_week"
                | "last_month" | "this_month" | "next_month" | undefined;
            rank?: number | undefined;
            percent?: boolean | undefined;
            below?: boolean | undefined;
            equal?: boolean | undefined;
            deviations?: number | undefined;
            style?: {
                bold?: boolean | undefined;
                italic?: boolean | undefined;
                strike_through?: boolean | undefined;
                underline?: boolean | undefined;
                font_color?: string | undefined;
                bg_color?: string | undefined;
            } | undefined;
            colors?: string[] | undefined;
            icons?: string | undefined;
            steps?: {
                type: "min" | "max" | "number" | "percent" | "percentile" | "formula";
                value?: number | undefined;
            }[] | undefined;
            reverse?: boolean | undefined;
            hide_value?: boolean | undefined;
            stop_if_true?: boolean | undefined;
            position?: number | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            format_id: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_validation: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            validation_id?: string | undefined;
            ranges: string[];
            kind: "list" | "whole" | "decimal" | "date" | "time" | "length" | "custom" | "any";
            test?: "between" | "not_between" | "equal" | "not_equal" | "greater" | "less" | "greater_or_equal"
                | "less_or_equal" | undefined;
            values?: string[] | undefined;
            required?: boolean | undefined;
            hide_list?: boolean | undefined;
            prompt_title?: string | undefined;
            prompt?: string | undefined;
            error_title?: string | undefined;
            error?: string | undefined;
            error_style?: "stop" | "warning" | "information" | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            validation_id: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_comment: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            comment_id?: string | undefined;
            range?: string | undefined;
            row?: number | undefined;
            col?: number | undefined;
            text?: string | undefined;
            entry_id?: string | undefined;
            resolved?: boolean | undefined;
            delete?: boolean | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            comment_id: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_table: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            table_id?: string | undefined;
            name?: string | undefined;
            range?: string | undefined;
            has_headings?: boolean | undefined;
            totals?: Record<string, "sum" | "average" | "count" | "count_numbers" | "max" | "min" | "deviation"
                | "variance"> | undefined;
            style?: string | undefined;
            style_parts?: ("row_stripes" | "column_stripes" | "first_column" | "last_column")[] | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            table_id: string;
            name: string;
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_sheet_properties: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            visibility?: "visible" | "hidden" | "very_hidden" | undefined;
            tab_color?: string | undefined;
            zoom?: number | undefined;
            gridlines?: boolean | undefined;
            default_col_width?: number | undefined;
            default_row_height?: number | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly set_page_setup: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id: string;
            orientation?: "portrait" | "landscape" | undefined;
            paper?: number | undefined;
            scale?: number | undefined;
            fit?: string | undefined;
            margins?: {
                left?: number | undefined;
                right?: number | undefined;
                top?: number | undefined;
                bottom?: number | undefined;
                header?: number | undefined;
                footer?: number | undefined;
            } | undefined;
            header?: string | undefined;
            footer?: string | undefined;
            options?: ("gridlines" | "headings" | "center_across" | "center_down")[] | undefined;
            print_area?: string | undefined;
            titles?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly delete_object: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            object_type: "name" | "conditional_format" | "validation" | "comment" | "table";
            object_id: string;
            sheet_id?: string | undefined;
            return_changes?: boolean | undefined;
            dry_run?: boolean | undefined;
            assert?: string | string[] | undefined;
        }, options?: CallOptions) => Promise<{
            changes?: {
                sheet_id: string;
                row: number;
                col: number;
                value: string | number | boolean | null;
                address: string;
                text: string;
            }[];
            changed_count?: number;
            errors?: Record<string, string>;
            error_count?: number;
            shifted?: string[];
            dry_run?: boolean;
            version?: number;
        }>;
        readonly list_objects: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            object_types?: ("name" | "conditional_format" | "validation" | "comment" | "table" | "sheet")[] | undefined;
        }, options?: CallOptions) => Promise<{
            names?: {
                name: string;
                refers_to: string;
                sheet_id?: string;
            }[];
            conditional_formats?: Record<string, unknown>[];
            validations?: Record<string, unknown>[];
            comments?: {
                comment_id: string;
                sheet_id: string;
                row: number;
                col: number;
                resolved: boolean;
                is_note: boolean;
                entries: {
                    entry_id: string;
                    author: string;
                    time: number;
                    text: string;
                }[];
            }[];
            tables?: Record<string, unknown>[];
            sheets?: {
                sheet_id: string;
                visibility?: "visible" | "hidden" | "very_hidden";
                tab_color?: string;
                zoom?: number;
                gridlines?: boolean;
                default_col_width?: number;
                default_row_height?: number;
                outline?: Record<string, unknown>;
                page: Record<string, unknown>;
            }[];
        }>;
        readonly get_computed_formats: (input: {
            file_id?: string | undefined;
            file_url?: string | undefined;
            sheet_id?: string | undefined;
            range?: string | undefined;
            start_row?: number | undefined;
            start_col?: number | undefined;
            end_row?: number | undefined;
            end_col?: number | undefined;
        }, options?: CallOptions) => Promise<{
            cells: {
                row: number;
                col: number;
                bold?: boolean;
                italic?: boolean;
                strike_through?: boolean;
                underline?: boolean;
                font_color?: string;
                bg_color?: string;
                bar?: number;
                bar_color?: string;
                icon_set?: string;
                icon?: number;
                hide_value?: boolean;
            }[];
        }>;
    };
    readonly manage: {
        readonly create_file: (input: {
            title: string;
            file_type?: "sheet" | undefined;
        }, options?: CallOptions) => Promise<{
            file_id: string;
            title: string;
            url: string;
            sheet_id: string;
        }>;
        readonly list_files: (input: {
            cursor: string;
            limit: number;
            deleted?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            files: {
                file_id: string;
                title: string;
                file_type: "sheet";
                url: string;
                owner_id: string;
                role: "owner" | "editor" | "viewer";
                version: number;
                create_time: number;
                modify_time: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly search_file: (input: {
            query: string;
            search_key?: string | undefined;
            offset?: number | undefined;
            limit?: number | undefined;
            mode?: "keyword" | "meaning" | "both" | undefined;
            tags?: string[] | undefined;
        }, options?: CallOptions) => Promise<{
            files: {
                file_id: string;
                title: string;
                file_type: "sheet";
                url: string;
                owner_id: string;
                role: "owner" | "editor" | "viewer";
                version: number;
                create_time: number;
                modify_time: number;
            }[];
            total: number;
            index_behind?: boolean;
            keyword_only?: boolean;
            list: {
                file_id: string;
                title: string;
                url: string;
            }[];
        }>;
        readonly query_file_info: (input: {
            file_id: string;
        }, options?: CallOptions) => Promise<{
            file: {
                file_id: string;
                title: string;
                file_type: "sheet";
                url: string;
                owner_id: string;
                role: "owner" | "editor" | "viewer";
                version: number;
                create_time: number;
                modify_time: number;
            };
            members: {
                user_id: string;
                name: string;
                role: "owner" | "editor" | "viewer";
            }[];
            type: "sheet";
            status: string;
            create_time: number;
            create_name: string;
            last_modify_time: number;
            last_modify_name: string;
            owner_name: string;
            space_id: string;
            is_folder: boolean;
        }>;
        readonly rename_file: (input: {
            file_id: string;
            title: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly copy_file: (input: {
            file_id: string;
            title?: string | undefined;
            folder_id?: string | undefined;
        }, options?: CallOptions) => Promise<{
            file_id: string;
            id: string;
            title: string;
            url: string;
        }>;
        readonly delete_file: (input: {
            file_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly restore_file: (input: {
            file_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly share_file: (input: {
            file_id: string;
            user_id?: string | undefined;
            user_name?: string | undefined;
            role: "viewer" | "editor" | "none";
        }, options?: CallOptions) => Promise<{
            file_id: string;
            user_id: string;
            role: "viewer" | "editor" | "none";
        }>;
        readonly tag_file: (input: {
            file_id: string;
            add?: string[] | undefined;
            remove?: string[] | undefined;
        }, options?: CallOptions) => Promise<{
            file_id: string;
            tags: {
                tag: string;
                in_text: boolean;
            }[];
        }>;
        readonly create_public_link: (input: {
            file_id: string;
            expire_time?: number | undefined;
        }, options?: CallOptions) => Promise<{
            link: {
                link_id: string;
                create_time: number;
                expire_time: number;
            };
            url: string;
        }>;
        readonly list_public_links: (input: {
            file_id: string;
        }, options?: CallOptions) => Promise<{
            links: {
                link_id: string;
                create_time: number;
                expire_time: number;
                url?: string;
            }[];
        }>;
        readonly end_public_link: (input: {
            file_id: string;
            link_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly announce: (input: {
            file_id: string;
            place?: string | undefined;
            client?: string | undefined;
            left?: boolean | undefined;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly pre_import: (input: {
            file_name?: string | undefined;
            file_size?: number | undefined;
            file_md5?: string | undefined;
        }, options?: CallOptions) => Promise<{
            upload_url: string;
            file_key: string;
            max_size: number;
            expired_time: number;
        }>;
        readonly import_file: (input: {
            title: string;
            content?: string | undefined;
            file_key?: string | undefined;
            media_id?: string | undefined;
            table?: number | undefined;
            format?: "xlsx" | "xls" | "xlsb" | "ods" | "csv" | undefined;
            value_mode?: "raw" | "typed" | undefined;
            file_name?: string | undefined;
            file_base64?: string | undefined;
            file_size?: number | undefined;
            file_md5?: string | undefined;
        }, options?: CallOptions) => Promise<{
            file_id: string;
            task_id: string;
            title: string;
            url: string;
            sheets: {
                sheet_id: string;
                name: string;
            }[];
            warnings: string[];
        }>;
        readonly export_file: (input: {
            file_id: string;
            format?: "xlsx" | "csv" | undefined;
            sheet_id?: string | undefined;
            safe?: boolean | undefined;
            as_link?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            file_name: string;
            file_size: number;
            task_id: string;
            content?: string;
            url?: string;
            expired_time?: number;
        }>;
        readonly upload_image: (input: {
            content: string;
            image_base64?: string | undefined;
            with_url?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            image_id: string;
            width: number;
            height: number;
            url?: string;
        }>;
        readonly folder_list: (input: {
            folder_id?: string | undefined;
            start?: number | undefined;
        }, options?: CallOptions) => Promise<{
            list: {
                id: string;
                title: string;
                url: string;
                is_folder: boolean;
            }[];
            finish: boolean;
            error: string;
            trace_id: string;
        }>;
        readonly recent_online_file: (input: {
            num: number;
            count?: number | undefined;
            order_by?: 0 | 1 | 2 | undefined;
        }, options?: CallOptions) => Promise<{
            files: {
                file_id: string;
                file_name: string;
                file_url: string;
            }[];
            error: string;
            trace_id: string;
        }>;
        readonly rename_file_title: (input: {
            file_id: string;
            title: string;
        }, options?: CallOptions) => Promise<{
            file_id: string;
            title: string;
            error: string;
            trace_id: string;
        }>;
        readonly move_file: (input: {
            file_id: string;
            target_folder_id: string;
        }, options?: CallOptions) => Promise<{
            error: string;
            trace_id: string;
        }>;
        readonly get_privilege: (input: {
            file_id: string;
        }, options?: CallOptions) => Promise<{
            file_id: string;
            policy: number;
            error: string;
            trace_id: string;
        }>;
        readonly set_privilege: (input: {
            file_id: string;
            policy: 2 | 3;
        }, options?: CallOptions) => Promise<{
            error: string;
            trace_id: string;
        }>;
        readonly async_import: (input: {
            file_key: string;
            file_name: string;
            file_md5?: string | undefined;
        }, options?: CallOptions) => Promise<{
            task_id: string;
            error: string;
            trace_id: string;
        }>;
        readonly import_progress: (input: {
            task_id: string;
        }, options?: CallOptions) => Promise<{
            progress: number;
            status: string;
            file_id: string;
            file_name: string;
            file_url: string;
            error: string;
            trace_id: string;
        }>;
        readonly export_progress: (input: {
            task_id: string;
        }, options?: CallOptions) => Promise<{
            progress: number;
            status: string;
            file_name: string;
            file_url: string;
            error: string;
            trace_id: string;
        }>;
    };
    readonly sharing: {
        readonly share: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            user_id?: string | undefined;
            user_name?: string | undefined;
            group_id?: string | undefined;
            group_name?: string | undefined;
            everyone?: boolean | undefined;
            role: "read" | "comment" | "write";
        }, options?: CallOptions) => Promise<{
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            with: "user" | "group" | "everyone";
            user_id?: string;
            group_id?: string;
            role: "read" | "comment" | "write";
        }>;
        readonly unshare: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            user_id?: string | undefined;
            user_name?: string | undefined;
            group_id?: string | undefined;
            group_name?: string | undefined;
            everyone?: boolean | undefined;
        }, options?: CallOptions) => Promise<{
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            with: "user" | "group" | "everyone";
            user_id?: string;
            group_id?: string;
        }>;
        readonly list_shares: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
        }, options?: CallOptions) => Promise<{
            shares: {
                with: "user" | "group" | "everyone";
                user_id?: string;
                group_id?: string;
                name: string;
                role: "read" | "comment" | "write" | "own";
            }[];
        }>;
        readonly list_shared_with_me: (input: {
            kinds?: ("note" | "notebook" | "base" | "sheet")[] | undefined;
            folder_id?: string | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            shared: {
                kind: "note" | "notebook" | "base" | "sheet";
                id: string;
                title: string;
                role: "read" | "comment" | "write" | "own";
                owner_id: string;
                owner_name: string;
                modify_time: number;
            }[];
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly list_people: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            name?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            people: {
                user_id: string;
                name: string;
            }[];
        }>;
        readonly publish: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            expire_time?: number | undefined;
        }, options?: CallOptions) => Promise<{
            link: {
                link_id: string;
                create_time: number;
                expire_time: number;
            };
            url: string;
        }>;
        readonly list_published: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
        }, options?: CallOptions) => Promise<{
            links: {
                link_id: string;
                create_time: number;
                expire_time: number;
                url?: string;
            }[];
        }>;
        readonly unpublish: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
            link_id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
    };
    readonly inbox: {
        readonly list_inbox: (input: {
            types?: ("mention" | "reply" | "comment" | "share" | "change" | "agent")[] | undefined;
            unread_only?: boolean | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
        }, options?: CallOptions) => Promise<{
            lines: {
                line_id: string;
                type: "mention" | "reply" | "comment" | "share" | "change" | "agent";
                is_read: boolean;
                time: number;
                count: number;
                kind?: "note" | "notebook" | "base" | "sheet";
                id?: string;
                title?: string;
                by: {
                    user_id: string;
                    name: string;
                }[];
                comment_id?: string;
                entry_id?: string;
                text?: string;
                key_id?: string;
                key_name?: string;
                operations?: {
                    operation: string;
                    count: number;
                }[];
            }[];
            unread: number;
            next_cursor: string;
            is_end: boolean;
        }>;
        readonly mark_inbox_read: (input: {
            line_ids?: string[] | undefined;
            all?: boolean | undefined;
            unread?: boolean | undefined;
            until?: number | undefined;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly follow: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
        }, options?: CallOptions) => Promise<Record<string, never>>;
        readonly unfollow: (input: {
            kind: "note" | "notebook" | "base" | "sheet";
            id: string;
        }, options?: CallOptions) => Promise<{
            ended: boolean;
        }>;
        readonly list_followed: (input: Record<string, never>, options?: CallOptions) => Promise<{
            followed: {
                kind: "note" | "notebook" | "base" | "sheet";
                id: string;
                title: string;
                time: number;
            }[];
        }>;
    };
}
export interface ClientOptions {
    url: string;
    clientId?: string | undefined;
    apiKey?: string | undefined;
    headerPrefix?: string | undefined;
    fetch?: typeof fetch | undefined;
}
export interface RawAnswer {
    status: number;
    code: number;
    msg: string;
    data: Record<string, unknown>;
    requestId: string;
    version?: number;
}
export declare class SheafError extends Error {
    readonly code: number;
    readonly status: number;
    readonly requestId: string;
    constructor(code: number, message: string, status: number, requestId: string);
}
export declare function call(options: ClientOptions, module: string, operation: string, input: unknown,
    callOptions?: CallOptions): Promise<RawAnswer>;
export declare function createClient(options: ClientOptions): Client;
export {};
